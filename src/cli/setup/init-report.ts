import type { SetupState } from '../../io/setup/check-setup.ts'
import type { Step } from '../../io/setup/step.ts'
import { AGENT_NAMES, AGENTS, type Agent, HOOK_HINTS } from '../../setup/agents.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'

interface SetupResult {
  readonly root: string
  readonly dryRun: boolean
  readonly agents: readonly Agent[]
  readonly hooks: readonly Agent[]
  readonly files: readonly Step[]
  /** Nobody said which agents. */
  readonly isGuess: boolean
  /** The files name no path of this machine. */
  readonly isPortable: boolean
}

const WORDS: Readonly<Record<Step['did'], readonly [done: string, planned: string]>> = {
  created: ['created', 'would create'],
  changed: ['changed', 'would change'],
  in_order: ['in order', 'in order'],
  left: ['left', 'left'],
  removed: ['removed', 'would remove'],
  restored: ['restored', 'would restore'],
  stripped: ['cleared', 'would clear'],
}

export function describeSetup(result: SetupResult, terminal: Terminal): string {
  const { root, dryRun, agents, files, isGuess } = result
  const names = agents.map((agent) => AGENTS[agent].title).join(', ')
  const others =
    isGuess && agents.length < AGENT_NAMES.length ? ` (others: --agents ${AGENT_NAMES.join(',')})` : ''
  const isDone = files.every(({ did }) => did === 'in_order')
  return [
    paint('bold', `${root}, for ${names}${others}`, terminal),
    ...lines(files, '+', dryRun, terminal),
    ...(isDone ? ['Nothing to do.'] : dryRun ? ['Nothing was written.'] : ['', ...hints(result, terminal)]),
    '',
  ].join('\n')
}

export function describeRemoval(
  { root, dryRun, files }: Pick<SetupResult, 'root' | 'dryRun' | 'files'>,
  terminal: Terminal,
): string {
  if (files.length === 0) return `Nothing of cacpd is in the files of ${root}.\n`
  const isStripped = files.some(({ did }) => did === 'stripped')
  return [
    paint('bold', root, terminal),
    ...lines(files, '-', dryRun, terminal),
    ...(isStripped ? ['Cleared: somebody changed the file since, so only what is ours was taken out.'] : []),
    ...(dryRun ? ['Nothing was written.'] : []),
    '',
  ].join('\n')
}

export function describeState(
  { root, agents, hooks, findings }: SetupState & { readonly root: string },
  terminal: Terminal,
): string {
  const names = agents.map((agent) => AGENTS[agent].title).join(', ')
  const title = paint('bold', `${root}, for ${names}${hooks.length > 0 ? ', with hooks' : ''}`, terminal)
  if (findings.length === 0) return `${title}\nAll is in place.\n`
  const told = findings.map(({ problem, fix }) => `  ${printable(problem)}\n${indented(fix, '    ')}`)
  return `${title}\n${told.join('\n')}\n`
}

function lines(files: readonly Step[], sign: '+' | '-', dryRun: boolean, terminal: Terminal): string[] {
  const word = ({ did }: Step) => WORDS[did][dryRun ? 1 : 0]
  const width = Math.max(...files.map((step) => word(step).length))
  return files.flatMap((step) => {
    const { path, purpose, did, why, paste = '', lines: text = '' } = step
    const colour = did === 'left' ? 'yellow' : did === 'in_order' ? 'dim' : 'green'
    const mark = paint(colour, word(step).padEnd(width), terminal)
    if (did === 'left')
      return [
        `  ${mark}  ${path} ${why}. ${sign === '+' ? 'To put in' : 'To take out'} by hand:`,
        indented(paste, '      '),
      ]
    const told = `  ${mark}  ${path} ${paint('dim', `(${purpose})`, terminal)}`
    return dryRun && text !== '' ? [told, indented(excerpt(text), `      ${sign} `)] : [told]
  })
}

const MOST_LINES = 40

/** A long text is not read in a terminal; its beginning tells which it is. */
function excerpt(text: string): string {
  const all = text.trimEnd().split('\n')
  if (all.length <= MOST_LINES) return text
  return [...all.slice(0, 5), `… ${all.length - 5} more lines, which --json shows`].join('\n')
}

const indented = (text: string, indent: string): string =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `${indent}${printable(line)}`.trimEnd())
    .join('\n')

/** What happens next, of what was put in: a file that was left alone has no part in it. */
function hints({ agents, hooks, files, isPortable }: SetupResult, { self }: Terminal): string[] {
  const left = files.flatMap(({ did, path }) => (did === 'left' ? [path] : []))
  const isIn = (hint: { readonly of: string; readonly text: string } | undefined) =>
    hint === undefined || left.includes(hint.of) ? [] : [hint.text]
  return [
    ...agents.flatMap((agent) => isIn(AGENTS[agent].hint)),
    ...hooks.flatMap((agent) => isIn(HOOK_HINTS[agent])),
    ...(isPortable ? [] : [NOT_PORTABLE]),
    `A daemon is started by the agent when none runs. Undo all of this with ${self} init --remove`,
  ]
}

const NOT_PORTABLE =
  'The commands in these files are paths of this machine: before sharing them, put cacpd on the path (npm link, or npm install -g) and run this again.'
