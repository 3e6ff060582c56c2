import { defined } from '../../protocol/collections/defined.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import type { ContentPart } from '../../protocol/run/content.ts'
import type { RunnerEvent } from '../../protocol/run/event.ts'

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
