import type { Client } from '../../client.ts'
import type { ResultOf } from '../../methods/table.ts'
import { isEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { paint } from '../output/paint.ts'
import { printable, printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import { idMeant } from '../output/short-ids.ts'
import { type Showing, showing } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'

type ShownRun = ResultOf<'cacp/run/list'>['runs'][number]

/** How long one look waits for news; the daemon answers sooner when there is some. */
const WAIT_SECONDS = 20
const PROMPT_WIDTH = 40
/** As many as the daemon lists in one call. */
const MOST_LOOKED_AT = 1000

/** `cacpd runs` */
export async function showRuns(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const result = await withDaemon(flags, terminal, (client) => client.call('cacp/run/list', {}))
  if (flags.json === true) printResult(result, flags, terminal)
  else terminal.print(`${describeRuns(result.runs, showing(terminal, flags))}\n`)
}

/** `cacpd runs cancel ID` */
export async function cancelRun(word: string, flags: OutputFlags, terminal: Terminal): Promise<void> {
  const result = await withDaemon(flags, terminal, async (client) =>
    client.call('cacp/run/cancel', { runId: await runMeant(word, client) }),
  )
  if (flags.json === true) printResult(result, flags, terminal)
  else terminal.print(`${describeRuns([result.run], showing(terminal, flags))}\n`)
}

/** `cacpd runs follow ID`: the text as it comes on standard output, what happens beside it on the other. */
export async function followRun(word: string, flags: OutputFlags, terminal: Terminal): Promise<void> {
  const end = await withDaemon(flags, terminal, async (client) => {
    let lastText = '\n'
    for await (const event of eventsOf(await runMeant(word, client), client)) {
      if (flags.json === true) terminal.print(`${JSON.stringify(event)}\n`)
      else tell(event, lastText, terminal)
      if (event.type === 'text') lastText = event.delta
      if (isEnd(event)) return event
    }
    return undefined
  })
  if (end?.type === 'failed') throw new RunFailedError(end.message, end.kind)
  if (end?.type === 'canceled') throw new RunFailedError(`The run was canceled: ${end.reason}`, 'canceled')
}

const runMeant = (word: string, client: Client): Promise<string> =>
  idMeant(word, async () =>
    (await client.call('cacp/run/list', { limit: MOST_LOOKED_AT })).runs.map(({ run_id }) => run_id),
  )

/** The run was followed to its end, and that was not the one hoped for. */
class RunFailedError extends Error {
  override readonly name = 'RunFailedError'
  readonly kind: string

  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}

async function* eventsOf(runId: string, client: Client): AsyncGenerator<RunEvent> {
  for (let after = 0; ; ) {
    const { run, events = [] } = await client.call('cacp/run/get', {
      runId,
      after,
      waitSeconds: WAIT_SECONDS,
    })
    for (const event of events as unknown as readonly RunEvent[]) {
      after = event.sequence
      yield event
    }
    if (events.length === 0 && run.ended_at !== null) return
  }
}

function tell(event: RunEvent, lastText: string, terminal: Terminal): void {
  if (event.type === 'text') terminal.print(printable(event.delta))
  if (isEnd(event) && !lastText.endsWith('\n')) terminal.print('\n')
  const aside = asideOf(event)
  if (aside !== undefined) terminal.complain(`${paint('dim', printableLine(aside), terminal)}\n`)
}

/** What is told beside the text. */
function asideOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'started':
      return event.attempt === 1 ? event.runner : `${event.runner}, attempt ${event.attempt}`
    case 'step': {
      const progress = event.progress === null ? '' : `${String(event.progress).padStart(3)} % `
      return `${progress}${event.number}. ${event.name}${event.status === 'paused' ? ' (paused)' : ''}`
    }
    case 'tool_call':
      return `calls ${event.name} ${event.arguments}`
    case 'citation':
      return `source: ${event.uri} ${event.title ?? ''}`
    case 'artifact':
      return `artifact: ${event.name} (${event.mime_type})`
    case 'heartbeat':
      return event.note || 'still at work'
    case 'completed':
      return `completed after ${(event.duration_ms / 1000).toFixed(1)} s`
    default:
      return undefined
  }
}

function describeRuns(runs: readonly ShownRun[], terminal: Showing): string {
  if (runs.length === 0) return 'none; nobody asked this repository’s agent for anything yet'
  const rows = runs.map(({ prompt, ...run }) => ({
    run: run.run_id,
    status: run.status,
    work: run.work_type,
    asked: prompt.length <= PROMPT_WIDTH ? prompt : `${prompt.slice(0, PROMPT_WIDTH - 1).toWellFormed()}…`,
    by: run.asked_by,
    runner: run.runner,
    attempt: run.attempt,
    created: run.created_at,
    problem: run.failure?.kind ?? null,
  }))
  return renderRows(rows, terminal)
}
