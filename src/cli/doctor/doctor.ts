import { findRunningDaemon } from '../../io/background/ensure-daemon.ts'
import { placeOf } from '../../io/background/place.ts'
import { command } from '../form/command.ts'
import type { OutputFlags } from '../form/with-daemon.ts'
import { inCommandWords } from '../output/command-wording.ts'
import { paint } from '../output/paint.ts'
import { printable, printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { ExitWith } from '../program/report.ts'
import { checkAgents } from './agents.ts'
import { checkDaemon } from './daemon.ts'
import { type Diagnosis, type Finding, failed, isWrong, type Patient } from './diagnosis.ts'
import { checkDataDirectory, checkJournal, checkRepository, checkSettings } from './place.ts'

type Check = readonly [name: string, look: (patient: Patient) => Promise<readonly Diagnosis[]>]

const CHECKS: readonly Check[] = [
  ['repository', checkRepository],
  ['settings', checkSettings],
  ['data directory', checkDataDirectory],
  ['journal', checkJournal],
  ['daemon', checkDaemon],
  ['agents', checkAgents],
]

export const doctor = command({
  about: 'look for what is wrong here, and say how to put it right',
  options: { '--fix': 'put right what can be without losing anything' },
  note: 'Exit code 1 when something is wrong. Without --fix nothing is changed.',
  examples: ['cacpd doctor', 'cacpd doctor --fix'],
  result: async (flags, terminal) => {
    let found = await examine(flags, terminal)
    const fixed: string[] = []
    const notFixed: string[] = []
    const repairs = flags.fix === true ? found.flatMap(({ repair }) => repair ?? []) : []
    for (const repair of repairs)
      await repair().then(
        (done) => fixed.push(done),
        (error: unknown) => notFixed.push(error instanceof Error ? error.message : String(error)),
      )
    if (repairs.length > 0) found = await examine(flags, terminal)
    const findings = found.map(({ repair, preventsStart: _, ...finding }) => ({
      ...finding,
      fixable: repair !== undefined,
    }))
    return { healthy: !findings.some(isWrong), fixed, notFixed, findings }
  },
  show: (result, screen) => inWords(result, screen),
  failure: ({ healthy }) => (healthy ? undefined : new ExitWith(1)),
})

interface Report {
  /** What `--fix` did, and what it could not, each in a sentence. */
  readonly fixed: readonly string[]
  readonly notFixed: readonly string[]
  readonly findings: readonly (Finding & { readonly fixable: boolean })[]
}

async function examine(flags: OutputFlags, terminal: Terminal): Promise<Diagnosis[]> {
  const { cwd, env } = terminal
  const place = await placeOf({ cwd, env, dataDir: flags.data })
  // What is wrong with finding it, the checks will say.
  const daemon = await findRunningDaemon(place.dataDir).catch(() => undefined)
  const found: Diagnosis[] = []
  for (const [check, look] of CHECKS) {
    const looked = look({ place, daemon, terminal })
    found.push(...(await looked.catch((error: unknown) => [failed(check, error)])))
  }
  return found.some(({ preventsStart }) => preventsStart) ? found.map(startLast) : found
}

/** A daemon is not started into what would end it at once. */
function startLast(finding: Diagnosis): Diagnosis {
  if (finding.check !== 'daemon' || finding.repair === undefined) return finding
  const { repair: _, ...others } = finding
  return { ...others, fix: 'Put right what is said above; then start it with `cacpd up -d`' }
}

const SIGNS = { ok: ['green', '✓'], note: ['yellow', '!'], wrong: ['red', '✗'] } as const

function inWords({ findings, fixed, notFixed }: Report, terminal: Terminal): string {
  const lines = findings.map(({ check, verdict, message, fix }) => {
    const [colour, sign] = SIGNS[verdict]
    const what = `${paint(colour, sign, terminal)} ${paint('bold', check, terminal)}: ${said(message)}`
    return fix === undefined ? what : `${what}\n${indented(fix)}`
  })
  const wrong = findings.filter(isWrong).length
  const canFix = findings.filter(({ fixable }) => fixable).length
  return [
    ...fixed.map((line) => `fixed: ${said(line)}`),
    ...notFixed.map((line) => `not fixed: ${said(line)}`),
    ...lines,
    '',
    wrong === 0 ? 'All is well.' : `${wrong} ${wrong === 1 ? 'thing has' : 'things have'} to be put right.`,
    ...(canFix === 0 ? [] : [`\`${terminal.self} doctor --fix\` can do that for ${canFix}.`]),
  ].join('\n')
}

/** Lines to paste keep their own indentation below it. */
const indented = (fix: string): string =>
  fix
    .trimEnd()
    .split('\n')
    .map((line) => `    ${printable(inCommandWords(line))}`.trimEnd())
    .join('\n')

const said = (text: string): string => printableLine(inCommandWords(text))
