import type { Client } from '../../client.ts'
import type { ResultOf } from '../../methods/table.ts'
import { isEnd, type RunEvent } from '../../protocol/run/event.ts'
import { calling } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { paint } from '../output/paint.ts'
import { printable, printableLine } from '../output/printable.ts'
import { renderRows } from '../output/render.ts'
import type { Screen } from '../output/screen.ts'
import { idMeant } from '../output/short-ids.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError } from '../program/report.ts'
import { cutToCell } from './describe-work.ts'

type ShownRun = ResultOf<'cacp/run/list'>['runs'][number]

/** How long one look waits for news; the daemon answers sooner when there is some. */
const WAIT_SECONDS = 20
/** As many as the daemon lists in one call. */
const MOST_LOOKED_AT = 1000

const EXAMPLE_RUN = '01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4'
const RUN_WORD = { '<run>': 'run ID, as `cacpd runs` shows it' } as const

/** The text of the run is printed to stdout as it comes, and what happens beside it to stderr. */
const follow = command({
  about: 'show what a run says, from its start, and as it comes',
  words: RUN_WORD,
  examples: [`cacpd runs follow ${EXAMPLE_RUN}`],
  run: async (flags, terminal) => {
    const end = await withDaemon(flags, terminal, async (client) => {
      let lastText = '\n'
      for await (const event of eventsOf(await runMeant(flags.run, client), client)) {
        if (flags.json === true) terminal.print(`${JSON.stringify(event)}\n`)
        else printEvent(event, lastText, terminal)
        if (event.type === 'text') lastText = event.delta
        if (isEnd(event)) return event
      }
      return undefined
    })
    if (end?.type === 'failed') throw new CommandError(end.message, { kind: end.kind })
    if (end?.type === 'canceled')
      throw new CommandError(`The run was canceled: ${end.reason}`, { kind: 'canceled' })
  },
})

const cancel = command({
  about: 'end a run that is at work',
  words: RUN_WORD,
  examples: [`cacpd runs cancel ${EXAMPLE_RUN}`],
  ask:
    ({ run }) =>
    async (client) =>
      client.call('cacp/run/cancel', { runId: await runMeant(run, client) }),
  show: ({ run }, screen) => describeRuns([run], screen),
})

export const runs = command({
  about: 'show what this repository’s agent was asked for, and what became of it',
  examples: ['cacpd runs', `cacpd runs follow ${EXAMPLE_RUN}`, `cacpd runs cancel ${EXAMPLE_RUN}`],
  commands: { follow, cancel },
  ask: () => calling('cacp/run/list', {}),
  show: (result, screen) => describeRuns(result.runs, screen),
})

const runMeant = (word: string, client: Client): Promise<string> =>
  idMeant(word, async () =>
    (await client.call('cacp/run/list', { limit: MOST_LOOKED_AT })).runs.map(({ run_id }) => run_id),
  )

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

function printEvent(event: RunEvent, lastText: string, terminal: Terminal): void {
  if (event.type === 'text') terminal.print(printable(event.delta))
  if (isEnd(event) && !lastText.endsWith('\n')) terminal.print('\n')
  const aside = asideOf(event)
  if (aside !== undefined) terminal.complain(`${paint('dim', printableLine(aside), terminal)}\n`)
}

/** What is printed to stderr beside the text. */
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

function describeRuns(runs: readonly ShownRun[], terminal: Screen): string {
  if (runs.length === 0) return 'none; nobody asked this repository’s agent for anything yet'
  const rows = runs.map(({ prompt, ...run }) => ({
    run: run.run_id,
    status: run.status,
    work: run.work_type,
    asked: cutToCell(prompt),
    by: run.asked_by,
    runner: run.runner,
    attempt: run.attempt,
    created: run.created_at,
    problem: run.failure?.kind ?? null,
  }))
  return renderRows(rows, terminal)
}
