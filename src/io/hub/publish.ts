import type { JetStreamClient } from '@nats-io/jetstream'
import type { HubMessage, HubOutcome } from '../../engine/ports/hub.ts'
import type { Nats } from './load-nats.ts'
import { type At, natsFault } from './nats-fault.ts'

/** Most that is under way without an acknowledgement. */
const WINDOW = { messages: 256, bytes: 4 * 1024 * 1024 }

interface Publishing {
  readonly nats: Nats
  readonly client: JetStreamClient
  readonly at: At
}

/** One connection keeps the order; each window is acknowledged before the next one is sent. */
export async function publishAll(publishing: Publishing, messages: readonly HubMessage[]) {
  const outcomes: HubOutcome[] = []
  for (const window of windowsOf(messages))
    outcomes.push(...(await Promise.all(window.map((one) => publishOne(publishing, one)))))
  return outcomes
}

const LAST_SEQUENCE_DIFFERS = 10071
const MESSAGE_TOO_LARGE = 10054

async function publishOne(
  { nats, client, at }: Publishing,
  { subject, id, text, after }: HubMessage,
): Promise<HubOutcome> {
  try {
    const options = after === undefined ? { msgID: id } : { expect: { lastSubjectSequence: after } }
    const { seq, duplicate } = await client.publish(subject, text, options)
    return { status: duplicate ? 'known' : 'stored', sequence: seq }
  } catch (error) {
    const code = error instanceof nats.JetStreamApiError ? error.code : undefined
    if (code === LAST_SEQUENCE_DIFFERS) return { status: 'overtaken' }
    if (code === MESSAGE_TOO_LARGE || isTooLarge(nats, error))
      return {
        status: 'refused',
        trouble: 'too_large',
        reason: `A statement of ${text.length} characters is larger than the hub takes`,
      }
    const fault = natsFault(nats, error, { ...at, isPublishing: true })
    if (fault.data['trouble'] === 'permission')
      return { status: 'refused', trouble: 'permission', reason: fault.message }
    throw fault
  }
}

const isTooLarge = ({ errors }: Nats, error: unknown): boolean =>
  error instanceof errors.InvalidArgumentError && error.message.includes('max_payload')

/** Always at least one message, however large. */
function* windowsOf(messages: readonly HubMessage[]): Generator<readonly HubMessage[]> {
  let window: HubMessage[] = []
  let bytes = 0
  for (const message of messages) {
    const isFull = window.length >= WINDOW.messages || bytes + message.text.length > WINDOW.bytes
    if (isFull && window.length > 0) {
      yield window
      window = []
      bytes = 0
    }
    window.push(message)
    bytes += message.text.length
  }
  if (window.length > 0) yield window
}
