import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import { bare } from '../../protocol/run/fold.ts'
import type { Run } from '../../protocol/run/run.ts'
import { lineOfJson, type SseFrame } from '../../protocol/sse/sse.ts'
import { factsOfCancel, factsOfFailure, transportError } from './errors.ts'
import { artifactShown, citationShown } from './presentation.ts'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'application/vnd.coreason.stream+json'
const ERROR_TYPE = 'application/vnd.coreason.error+json'
const ARTIFACT_TYPE = 'application/vnd.coreason.artifact+json'

/** Extension names have no underscores: CloudEvents allows none, and strict readers refuse them. */
export const CloudEvent = z
  .looseObject({
    specversion: z.literal('1.0'),
    type: z.string().min(1),
    source: z.string().min(1),
    id: z
      .string()
      .min(1)
      .describe('The same as the id of the event of the stream; sent back as Last-Event-ID'),
    time: z.iso.datetime({ offset: true }),
    datacontenttype: z.string(),
    requestid: z.string(),
    rootrequestid: z.string(),
    parentrequestid: z.string().optional(),
    data: FreeObject,
  })
  .meta({ id: 'CloudEvent' })

/** Characters of the summary in the last event: the beginning of the text, with `…` where it is cut. */
export const SUMMARY_LENGTH = 16 * 1024

/** The events of a run in the words of the transport document. The error event is an end too: nothing follows it. */
export function createEncoder({ run_id, runner, request }: Run): (event: RunEvent) => readonly SseFrame[] {
  const { root_request_id: root = request.request_id, parent_request_id: parent } = request.lineage
  const source = `urn:node:${encodeURIComponent(runner)}`
  let summary = ''

  return (event) => {
    if (event.type === 'started') summary = ''
    if (event.type === 'text' && summary.length <= SUMMARY_LENGTH) summary += event.delta
    const said = told(event, summary)
    if (said === undefined) return []
    const [type, datacontenttype, data] = said
    const id = eventId(run_id, event.sequence)
    const cloudEvent = {
      specversion: '1.0',
      type,
      source,
      id,
      time: event.at,
      datacontenttype,
      requestid: request.request_id,
      rootrequestid: root,
      ...(parent === undefined ? {} : { parentrequestid: parent }),
      data: { node_id: runner, ...data },
    }
    return [{ event: type, id, data: lineOfJson(cloudEvent) }]
  }
}

function told(
  event: RunEvent,
  text: string,
): readonly [type: string, datacontenttype: string, data: JsonObject] | undefined {
  switch (event.type) {
    case 'started':
      return ['ai.coreason.node.started', JSON_TYPE, { status: 'RUNNING' }]
    case 'text': {
      const { delta: chunk } = event
      // The document names the first key, its own implementation reads the second.
      return ['ai.coreason.node.stream', STREAM_TYPE, { chunk, gen_ai: { completion: { chunk } } }]
    }
    case 'artifact': {
      const { artifact_id, mime_type, url = `urn:cacp:artifact:${encodeURIComponent(artifact_id)}` } = event
      const data = { ...artifactShown(event), artifact_type: artifactType(mime_type), url }
      return ['ai.coreason.legacy.artifact_generated', ARTIFACT_TYPE, data]
    }
    case 'completed': {
      const { output, duration_ms } = event
      const data = { output_summary: abbreviated(text), status: 'SUCCESS', duration_ms }
      return ['ai.coreason.node.completed', JSON_TYPE, output === null ? data : { ...data, output }]
    }
    case 'failed':
      return ['ai.coreason.legacy.error', ERROR_TYPE, transportError(factsOfFailure(event))]
    case 'canceled':
      return ['ai.coreason.legacy.error', ERROR_TYPE, transportError(factsOfCancel(event.reason))]
    case 'citation':
      return [ownType(event), JSON_TYPE, citationShown(event)]
    case 'heartbeat':
      // The comments of the stream show already that it is alive.
      return undefined
    default:
      return [ownType(event), JSON_TYPE, bare(event) as JsonObject]
  }
}

/** The type of an event that the document has no type for. */
const ownType = ({ type }: RunEvent): string => `dev.cacp.run.${type}`

/** The id of an event; a reader that reconnects sends it as Last-Event-ID. */
export const eventId = (runId: string, sequence: number): string => `${runId}:${sequence}`

/** The sequence number in the id of one of this run's events; undefined for any other text. */
export function sequenceIn(id: string, runId: string): number | undefined {
  const [, run, sequence] = /^(.+):(\d{1,15})$/.exec(id) ?? []
  return run === runId ? Number(sequence) : undefined
}

/** `application/pdf` is called PDF. */
const artifactType = (mimeType: string): string =>
  (mimeType.split(';', 1)[0]?.split('/').at(-1)?.split('+').at(-1) ?? 'file').trim().toUpperCase()

function abbreviated(text: string): string {
  // The cut leaves no half of a surrogate pair behind.
  return text.length <= SUMMARY_LENGTH
    ? text
    : `${text.slice(0, SUMMARY_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
}
