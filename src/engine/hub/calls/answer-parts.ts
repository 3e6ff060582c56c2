import { ANSWER_TYP, type AnswerClaims, readIn, WANTS_NO_MORE } from '../../../domain/hub/call.ts'
import { sha256 } from '../../../protocol/text/sha256.ts'
import type { HubWire } from '../../ports/hub-rooms.ts'
import type { Identity, Timers } from '../../ports/ports.ts'
import { SILENCE_MILLIS } from './listening.ts'

/** How often whoever answers shows that it is still there. */
const HERE_MILLIS = 5000
/** What is sent before the caller says that it has read: more would fill the server's memory. */
const WINDOW_BYTES = 1024 * 1024
const PART_BYTES = 128 * 1024

const NOTHING = new Uint8Array()

interface AnswerPartsDeps {
  readonly identity: Pick<Identity, 'sign'>
  readonly wire: HubWire
  readonly timers: Timers
  /** Who answers whom, and which call. */
  readonly about: Pick<AnswerClaims, 'iss' | 'aud' | 'jti'>
  /** Where the caller listens. */
  readonly to: string
}

export type AnswerParts = ReturnType<typeof createAnswerParts>

/** Sends an answer part by part, as fast as the caller reads it, and hears whether it still wants it. */
export function createAnswerParts({ identity, wire, timers, about, to }: AnswerPartsDeps) {
  const ended = new AbortController()
  const { signal } = ended
  const inbox = wire.newInbox()
  let sending: Promise<void> = Promise.resolve()
  let count = 0
  let unread = 0
  let bytesSent = 0
  let heardAt = timers.millis()
  let cancel = () => {}
  let wake = () => {}
  const unlisten = wire.listen(inbox, ({ body }) => heed(body))
  showSoon()

  return {
    /** Aborted when the caller wants no more, or has been silent for too long. */
    signal,
    breakOff,
    send,

    async sendBytes(chunk: Uint8Array): Promise<void> {
      const size = Math.min(PART_BYTES, wire.maxBytes / 2)
      for (let at = 0; at < chunk.length; at += size) {
        const piece = chunk.subarray(at, at + size)
        while (unread > WINDOW_BYTES && !signal.aborted)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        signal.throwIfAborted()
        bytesSent += piece.length
        unread += piece.length
        await send('data', {}, piece)
      }
    },

    [Symbol.dispose](): void {
      ended.abort()
      cancel()
      unlisten()
    },
  }

  function breakOff(): void {
    ended.abort()
    wake()
  }

  /** In the order of the calls of this. */
  function send(
    part: AnswerClaims['part'],
    more: Pick<AnswerClaims, 'boot' | 'status' | 'type'> = {},
    body: Uint8Array = NOTHING,
  ): Promise<void> {
    sending = sending.then(async () => {
      const claims: AnswerClaims = { ...about, n: count++, part, sha256: sha256(body), ...more }
      wire.publish(to, { proof: await identity.sign(claims, ANSWER_TYP), body, reply: inbox })
    })
    return sending
  }

  function heed(body: Uint8Array): void {
    if (body.length > 100) return
    const text = new TextDecoder().decode(body)
    if (text === WANTS_NO_MORE) breakOff()
    const read = readIn(text)
    if (read === undefined) return
    heardAt = timers.millis()
    unread = Math.max(0, bytesSent - read)
    wake()
  }

  function showSoon(): void {
    cancel = timers.after(HERE_MILLIS, () => {
      if (timers.millis() - heardAt > SILENCE_MILLIS) return breakOff()
      send('here').catch(() => breakOff())
      showSoon()
    })
  }
}
