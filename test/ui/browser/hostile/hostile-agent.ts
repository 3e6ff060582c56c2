import type { AgentSettings } from '../../../../src/protocol/agent/settings.ts'
import type { RunRequest } from '../../../../src/protocol/run/request.ts'
import { node } from '../../../support/daemons/scripts.ts'
import { requestWith } from '../../../support/dialects/run-events.ts'
import { cut } from './texts.ts'

/** An agent that tells each of the texts it is asked with in every kind of event, and fails with them. */
export const HOSTILE_AGENT: AgentSettings = {
  command: node(`
    let asked = ''
    for await (const chunk of process.stdin) asked += chunk
    const tell = (event) => console.log(JSON.stringify(event))
    for (const [at, text] of JSON.parse(asked).entries()) {
      const short = text.slice(0, 1000).toWellFormed()
      tell({ type: 'reasoning', delta: text })
      tell({ type: 'step', number: at + 1, name: short, output: text })
      tell({ type: 'tool_call', call_id: short, name: short, arguments: text })
      tell({ type: 'tool_output', call_id: short, name: short, output: text })
      tell({ type: 'citation', uri: short, text, title: text })
      tell({ type: 'artifact', artifact_id: short, name: text, mime_type: short, text, url: text, data: { [short]: text } })
      tell({ type: 'content', part: { type: 'image', image_url: text } })
      tell({ type: 'content', part: { type: 'video', video_url: text } })
      tell({ type: 'content', part: { type: 'audio', data: text, format: text } })
      tell({ type: 'content', part: { type: 'file', file_url: text, filename: text } })
      tell({ type: 'content', part: { type: 'refusal', refusal: text } })
      tell({ type: 'heartbeat', note: text })
      tell({ type: 'text', delta: text })
    }
    console.error(asked)
    process.exitCode = 3
  `),
  output: 'events',
  commands: {},
  allow: [],
  concurrency: 2,
}

/** Asks it to tell these texts. */
export const requestToTell = (texts: readonly string[]): RunRequest =>
  requestWith({
    request_id: 'all',
    session_id: cut(texts.join(' '), 100),
    messages: [{ role: 'user', content: [{ type: 'text', text: JSON.stringify(texts) }] }],
    parameters: Object.fromEntries(texts.map((text) => [cut(text, 100), text])),
  })
