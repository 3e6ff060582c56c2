import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import { bare } from '../../protocol/run/fold.ts'
import type { Run } from '../../protocol/run/run.ts'
import { lineOfJson, type SseFrame } from '../../protocol/sse/sse.ts'
import { namedShape } from '../../protocol/words.ts'
import { eventId } from '../coreason/cloud-events.ts'
import { detailed, type ErrorFacts, factsOfCancel, factsOfFailure, userError } from '../coreason/errors.ts'
import { artifactShown, citationShown } from '../coreason/presentation.ts'

export const StreamError = namedShape('StreamError', {
  code: z.string(),
  message: z.string(),
  severity: z.enum(['transient', 'fatal']),
  details: FreeObject.optional(),
})

/** `close` is written with `p: null`; others write it without `p`, or with a word. */
export const StreamPacket = z
  .discriminatedUnion('op', [
    z.object({ op: z.literal('delta'), p: z.string() }),
    z.object({ op: z.literal('event'), p: FreeObject }),
    z.object({ op: z.literal('error'), p: StreamError }),
    z.object({ op: z.literal('close'), p: z.string().nullish() }),
  ])
  .meta({ id: 'StreamPacket' })
export type StreamPacket = Readonly<z.infer<typeof StreamPacket>>

const CLOSE: StreamPacket = { op: 'close', p: null }

/** The events of a run as packets. The last one is always `close`, and there is only one of it. */
export function createEncoder({ run_id }: Pick<Run, 'run_id'>): (event: RunEvent) => readonly SseFrame[] {
  return (event) => {
    const frames = packetsOf(event).map((packet): SseFrame => ({ data: lineOfJson(packet) }))
    // Only the last packet of an event has the id, so that a reader with the id has all packets of that event.
    return frames.map((frame, index) =>
      index === frames.length - 1 ? { ...frame, id: eventId(run_id, event.sequence) } : frame,
    )
  }
}

export function packetsOf(event: RunEvent): readonly StreamPacket[] {
  switch (event.type) {
    case 'text':
      return [{ op: 'delta', p: event.delta }]
    case 'citation':
      return [shown('citation', citationShown(event))]
    case 'artifact':
      return [shown('artifact', artifactShown(event))]
    case 'completed':
      return event.output === null ? [CLOSE] : [shown('output', { output: event.output }), CLOSE]
    case 'failed':
      return [failure(factsOfFailure(event)), CLOSE]
    case 'canceled':
      return [failure(factsOfCancel(event.reason)), CLOSE]
    case 'started':
    case 'heartbeat':
      return []
    default:
      return [shown(event.type, bare(event) as JsonObject)]
  }
}

const shown = (type: string, told: JsonObject): StreamPacket => ({ op: 'event', p: { type, ...told } })

/** A mistake of the user is shown to the user; every other failure is an error packet. */
function failure(error: ErrorFacts): StreamPacket {
  if (error.domain === 'client') return { op: 'event', p: userError(error) }
  const { kind: code, message, retryable, details } = error
  const severity = retryable ? 'transient' : 'fatal'
  return { op: 'error', p: { code, message, severity, ...detailed(details) } }
}
