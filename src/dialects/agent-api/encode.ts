import { defined } from '../../protocol/collections/defined.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import type { ContentPart } from '../../protocol/run/content.ts'
import type { EndEvent, RunEvent, RunnerEvent } from '../../protocol/run/event.ts'
import type { Run } from '../../protocol/run/run.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import { Answer } from './answer.ts'
import { CANCELED_CODE, FAILURE_CODES } from './failures.ts'
import type { WireError, WireEvent } from './objects.ts'
import { sessionIdOf } from './to-run.ts'

export function createEncoder(
  run: Pick<Run, 'run_id' | 'request' | 'created_at'>,
): (event: RunEvent) => readonly WireEvent[] {
  const { run_id, request, created_at } = run
  const created = epochSeconds(created_at)
  const about = { id: request.request_id, created_at: created, session_id: sessionIdOf(request) }
  const toolNames = new Map<string, string>()
  let usage: Readonly<Record<string, number>> = {}
  let answer: Answer | undefined

  return (event) => {
    const current = answer ?? begin(event)
    answer = current
    take(event, current)
    return current.takeEvents()
  }

  /** Every attempt has ids of its own. */
  function begin(event: RunEvent): Answer {
    const attempt = event.type === 'started' ? event.attempt : 0
    const begun = new Answer(about, `${run_id}/${attempt}`)
    begun.response({ status: 'created' })
    begun.response({ status: 'in_progress' })
    return begun
  }

  function take(event: RunEvent, to: Answer) {
    switch (event.type) {
      case 'started':
        return
      case 'text':
        return to.delta('message', event.delta)
      case 'reasoning':
        return to.delta('reasoning', event.delta)
      case 'tool_call': {
        const { call_id, name, arguments: given } = event
        toolNames.set(call_id, name)
        return to.call('plugin_call', { call_id, name, arguments: '' }, { call_id, name, arguments: given })
      }
      case 'tool_output': {
        const { call_id, name = toolNames.get(call_id) ?? '', output } = event
        return to.call('plugin_call_output', { call_id, name, output: '' }, { call_id, name, output })
      }
      case 'citation': {
        const { uri, title, text, indices } = event
        return to.cite({ uri, title, text, indices })
      }
      case 'artifact':
        return to.part(artifactPart(event))
      case 'content':
        return to.part(event.part)
      case 'usage':
        usage = { ...usage, ...event.usage }
        return
      case 'step':
        return to.heartbeat(stepPart(event))
      case 'heartbeat':
        return to.heartbeat(undefined)
      default:
        return end(event, to)
    }
  }

  function end(event: EndEvent, to: Answer): void {
    const { at, duration_ms, cpu_ms } = event
    const error = errorOf(event)
    if (event.type === 'completed') complete(event, to)
    else to.breakOff()
    to.response({
      status: error === null ? 'completed' : 'failed',
      error,
      completed_at: Math.max(created, epochSeconds(at)),
      output: to.output,
      usage: { ...usage, duration_ms, ...(cpu_ms === null ? {} : { cpu_ms }) },
    })
  }
}

/** There is always a message with a content in the end: without one a client never sees that it is the end. */
function complete({ output }: Extract<EndEvent, { type: 'completed' }>, to: Answer): void {
  const result = outputPart(output, to.text)
  if (result !== undefined) to.part(result)
  to.close()
  const left = to.takeCitations()
  if (left.length > 0) to.part({ type: 'data', data: { citations: left.map((one) => ({ ...one })) } })
  if (to.output.length === 0) to.part({ type: 'text', text: '' })
}

function errorOf(event: EndEvent): WireError | null {
  if (event.type === 'completed') return null
  if (event.type === 'canceled') return { code: CANCELED_CODE, message: event.reason }
  return { code: FAILURE_CODES[event.kind], message: event.message }
}

type EventOf<Type extends RunnerEvent['type']> = Extract<RunnerEvent, { type: Type }>

/** An artifact as content: a file where it has a URL, else all of it as data. */
export function artifactPart(artifact: EventOf<'artifact'>): ContentPart {
  const { artifact_id, name, mime_type, data, text, url } = artifact
  if (url !== undefined) return { type: 'file', file_url: url, file_id: artifact_id, filename: name }
  return { type: 'data', data: { artifact_id, name, mime_type, ...defined({ data, text }) } }
}

/** The result as data; undefined where the text says it already. */
export function outputPart(output: Json, text: string): ContentPart | undefined {
  if (output === null || output === text) return undefined
  if (typeof output === 'string' && text === '') return { type: 'text', text: output }
  return { type: 'data', data: isJsonObject(output) ? output : { output } }
}

/** Progress, for the readers that look into a heartbeat. */
export function stepPart({ number, name, output, progress, status }: EventOf<'step'>): ContentPart {
  return { type: 'data', data: { number, name, output, progress, status } }
}
