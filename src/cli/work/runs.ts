import type { Client } from '../../client.ts'
import { isEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type GroupForm, methodForm } from '../derive/method-form.ts'
import { wholeIdOf } from '../derive/whole-ids.ts'
import { rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { COLUMNS } from '../output/columns.ts'
import { paint } from '../output/paint.ts'
import { printable, printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError } from '../program/report.ts'

/** How long one look waits for news; the daemon answers sooner when there is some. */
const WAIT_SECONDS = 20
/** The text of the run is printed to stdout as it comes, and what happens beside it to stderr. */
const follow = command({
  about: 'Show what a run says, from its start, and as it comes.',
  words: { '<run>': 'its ID or the beginning of it, as `cacpd runs` shows it' },
  examples: ['cacpd runs follow 01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4'],
  run: async (flags, terminal) => {
    const end = await withDaemon(flags, terminal, async (client) => {
      let lastText = '\n'
      for await (const event of eventsOf(await wholeIdOf('runId', flags.run, client), client)) {
        if (flags.json === true) terminal.print(`${JSON.stringify(event)}\n`)
        else printEvent(event, lastText, terminal)
        if (event.type === 'text') lastText = event.delta
        if (isEnd(event)) return event
      }
      return undefined
    })
    if (end?.type === 'failed') throw new CommandError(end.message, end.kind)
    if (end?.type === 'canceled') throw new CommandError(`The run was canceled: ${end.reason}`, 'canceled')
  },
})

export const runs: GroupForm = {
  methods: {
    cancel: methodForm('cacp/run/cancel', {
      show: ({ run }, screen) => rendered({ runs: [run] }, screen, COLUMNS['cacp/run/list']),
    }),
  },
  commands: { follow },
}

async function* eventsOf(runId: string, client: Client): AsyncGenerator<RunEvent> {
  for (let after = 0; ; ) {
    const news = { runId, after, waitSeconds: WAIT_SECONDS }
    const { run, events = [] } = await client.call('cacp/run/get', news)
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
