import type { Client } from '../../client.ts'
import type { ParamsOf, ResultOf } from '../../methods/table.ts'
import { spansText } from '../../protocol/chiffon/chunks.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { printable, printableLine } from '../output/printable.ts'
import { render } from '../output/render.ts'
import type { Screen } from '../output/screen.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError, UsageError } from '../program/report.ts'

type Shown = ResultOf<'cacp/work/get'>
type Sent = ResultOf<'cacp/work/send'>

/** How long one look waits for news; the daemon answers sooner when there is some. */
const WAIT_SECONDS = 20

const WAIT = { '--wait': 'wait for the end, and print the result' } as const

interface WaitFlags {
  readonly wait: boolean | undefined
}

const get = methodForm('cacp/work/get', {
  options: WAIT,
  examples: ['cacpd work get 01934a7e-51b3-7c08-9d1e-2b6f0a4c8d57 --wait'],
  ask: (client, params: ParamsOf<'cacp/work/get'>, { given, terminal }) =>
    given.wait === true ? untilItEnds(params.workId, client, terminal) : client.call('cacp/work/get', params),
  show,
  failure,
})

const cancel = methodForm('cacp/work/cancel', { show: (shown, screen) => describeWork(shown, screen) })

const send = methodForm('cacp/work/send', {
  options: {
    '--param <key=value>': {
      about: 'one parameter; JSON is taken as JSON; can be repeated',
      parse: (word: string, before: unknown): readonly string[] => [
        ...(Array.isArray(before) ? before : []),
        word,
      ],
    },
    ...WAIT,
  },
  examples: ['cacpd work send frontend-app echo --param text=hello --wait'],
  adjust: ({ parameters = {}, ...params }, { param = [] }) => {
    const named = parametersOf(param)
    if (!isJsonObject(parameters)) throw new UsageError('--parameters: must be a JSON object')
    return { ...params, parameters: { ...parameters, ...named } }
  },
  ask: async (client, params: ParamsOf<'cacp/work/send'>, { given, terminal }): Promise<Sent | Shown> => {
    const sent = await client.call('cacp/work/send', params)
    return given.wait === true ? untilItEnds(sent.work.workId, client, terminal) : sent
  },
  show,
  footnote: ({ work }, { self }, { given }) =>
    given.wait === true
      ? undefined
      : `Wait for its result with: ${self} work get ${work.workId} --wait${sameDaemon(given)}`,
  failure,
})

export const work: GroupForm = { methods: { send, get, cancel } }

/** `--param key=value`, as often as there are parameters. A value that is JSON is meant as that. */
function parametersOf(words: readonly string[]): Record<string, unknown> {
  const entries = words.map((word) => {
    const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? []
    if (key === undefined) throw new UsageError(`--param: must be key=value, not ${word}`)
    const parsed = jsonIn(value)
    return [key, parsed === undefined ? value : parsed] as const
  })
  return Object.fromEntries(entries)
}

/** Of work that was waited for, people want what came of it; of other work, how it stands. */
function show(shown: Sent | Shown, screen: Screen, { given }: { given: WaitFlags }): string | undefined {
  if (given.wait !== true) return describeWork(shown, screen)
  return 'result' in shown && shown.result !== null ? answerOf(shown.result) : undefined
}

/** Shows how far it is, on a terminal, until there is nothing more to come. */
async function untilItEnds(workId: string, client: Client, terminal: Terminal): Promise<Shown> {
  const isSeen = terminal.isWatched === true
  let after: number | undefined
  for (;;) {
    const news = { workId, ...(after === undefined ? {} : { after }), waitSeconds: WAIT_SECONDS }
    const shown = await client.call('cacp/work/get', news)
    if (isSeen) terminal.complain(`\r${progressLine(shown.work, terminal.width)}`)
    if (shown.work.endedAt !== null) {
      if (isSeen) terminal.complain('\n')
      return shown
    }
    after = shown.work.updates
  }
}

/** Work that was waited for and did not come to its end as hoped for. */
function failure(shown: Sent | Shown, { wait }: WaitFlags): Error | undefined {
  const { error, repoName, status } = shown.work
  if (wait !== true || status === 'completed') return undefined
  if (error !== null) return new CommandError(`${error.message} (${error.code})`, String(error.code))
  const result = 'result' in shown ? shown.result : null
  const how =
    result === null || status === 'canceled' ? `was ${status}` : `ended with code ${result.exitCode}`
  return new CommandError(`The work of ${repoName} ${how}`, status)
}

/** Work that was sent, for people: a line for each thing there is to know. `--json` has all. */
function describeWork({ work, result = null }: Pick<Shown, 'work'> & Partial<Shown>, look: Screen): string {
  const { askedBy, lastHeartbeat, requestId, traceId, updates, step, error, ...others } = work
  const told = {
    ...others,
    progress: `${work.progress} %`,
    step: step === null || step.number === 0 ? null : `${step.number}. ${step.name}`,
    error: error === null ? null : `${error.message} (${error.code})`,
    exitCode: result?.exitCode ?? null,
    missing: result === null || result.missing.length === 0 ? null : `bytes ${spansText(result.missing)}`,
    output: result === null ? null : result.output.trimEnd(),
  }
  const known = Object.entries(told).filter(([, value]) => value !== null && value !== '')
  return render(Object.fromEntries(known), look)
}

/** What the agent answered, without the line end behind it, which is printed whether or not the agent wrote one. */
const answerOf = ({ output }: NonNullable<Shown['result']>): string => printable(output).replace(/\n$/, '')

const BAR = 20

interface Progress {
  readonly status: string
  readonly progress: number
  readonly step: { readonly number: number; readonly name: string } | null
}

/** One line that says how far some work is, as wide as the last one, so that it can be written over it. */
export function progressLine({ status, progress, step }: Progress, width: number): string {
  const filled = Math.round((progress / 100) * BAR)
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}]`
  const at = step === null || step.number === 0 ? status : `${step.number}. ${printableLine(step.name)}`
  const most = Math.max(Math.min(width - 1, 100), 1)
  return `${bar} ${String(progress).padStart(3)} %  ${at}`.slice(0, most).padEnd(most)
}
