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

export interface AnswerPartsDeps {
  readonly identity: Pick<Identity, 'sign'>
  readonly wire: HubWire
  readonly timers: Timers
  /** Who answers whom, and which call. */
  readonly about: Pick<AnswerClaims, 'iss' | 'aud' | 'jti'>
  /** Where the caller listens. */
  readonly to: string
}

/** Sends an answer part by part, as fast as the caller reads it, and hears whether it still wants it. */
export class AnswerParts implements Disposable {
  readonly #deps: AnswerPartsDeps
  readonly #ended = new AbortController()
  readonly #inbox: string
  readonly #unlisten: () => void
  #sending: Promise<void> = Promise.resolve()
  #count = 0
  #unread = 0
  #bytesSent = 0
  #heardAt: number
  #cancel: () => void = () => {}
  #wake = () => {}

  constructor(deps: AnswerPartsDeps) {
    const { wire, timers } = deps
    this.#deps = deps
    this.#inbox = wire.newInbox()
    this.#heardAt = timers.millis()
    this.#unlisten = wire.listen(this.#inbox, ({ body }) => this.#heed(body))
    this.#showSoon()
  }

  /** Aborted when the caller wants no more, or has been silent for too long. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  breakOff(): void {
    this.#ended.abort()
    this.#wake()
  }

  /** In the order of the calls of this. */
  send(
    part: AnswerClaims['part'],
    more: Pick<AnswerClaims, 'boot' | 'status' | 'type'> = {},
    body: Uint8Array = NOTHING,
  ): Promise<void> {
    const { identity, wire, about, to } = this.#deps
    this.#sending = this.#sending.then(async () => {
      const n = this.#count++
      const claims: AnswerClaims = { ...about, n, part, sha256: sha256(body), ...more }
      wire.publish(to, { proof: await identity.sign(claims, ANSWER_TYP), body, reply: this.#inbox })
    })
    return this.#sending
  }

  async sendBytes(chunk: Uint8Array): Promise<void> {
    const size = Math.min(PART_BYTES, this.#deps.wire.maxBytes / 2)
    for (let at = 0; at < chunk.length; at += size) {
      const piece = chunk.subarray(at, at + size)
      while (this.#unread > WINDOW_BYTES && !this.signal.aborted)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      this.signal.throwIfAborted()
      this.#bytesSent += piece.length
      this.#unread += piece.length
      await this.send('data', {}, piece)
    }
  }

  [Symbol.dispose](): void {
    this.#ended.abort()
    this.#cancel()
    this.#unlisten()
  }

  #heed(body: Uint8Array): void {
    if (body.length > 100) return
    const text = new TextDecoder().decode(body)
    if (text === WANTS_NO_MORE) this.breakOff()
    const read = readIn(text)
    if (read === undefined) return
    this.#heardAt = this.#deps.timers.millis()
    this.#unread = Math.max(0, this.#bytesSent - read)
    this.#wake()
  }

  #showSoon(): void {
    const { timers } = this.#deps
    this.#cancel = timers.after(HERE_MILLIS, () => {
      if (timers.millis() - this.#heardAt > SILENCE_MILLIS) return this.breakOff()
      this.send('here').catch(() => this.breakOff())
      this.#showSoon()
    })
  }
}
