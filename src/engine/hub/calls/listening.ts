import { hasRead, WANTS_NO_MORE } from '../../../domain/hub/call.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { HeardMessage, HubWire } from '../../ports/hub-rooms.ts'
import type { Timers } from '../../ports/ports.ts'

/** Whoever answers says something more often than this, if only that it is still there. */
export const SILENCE_MILLIS = 20_000
/** More than whoever answers may send before it hears how much was read. */
const MOST_UNREAD = 4 * 1024 * 1024

interface ListeningOptions {
  readonly wire: HubWire
  readonly timers: Timers
  readonly signal: AbortSignal | undefined
  /** What messages call the other side. */
  readonly who: string
}

/** The caller's ear for one call: hands over what arrives, in order, and tells the other side what was read. */
export class Listening {
  readonly inbox: string
  readonly #options: ListeningOptions
  readonly #arrived: HeardMessage[] = []
  readonly #unlisten: () => void
  #bytesArrived = 0
  #bytesRead = 0
  /** Where the other side listens meanwhile; known with its first message. */
  #otherSide: string | undefined
  #failure: unknown
  #isOver = false
  #wake = () => {}

  constructor(options: ListeningOptions) {
    const { wire, signal } = options
    this.#options = options
    this.inbox = wire.newInbox()
    this.#unlisten = wire.listen(this.inbox, (message) => this.#heed(message))
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** The next message. Throws where none comes for too long, and after `fail` or the abort of the signal. */
  async next(): Promise<HeardMessage> {
    const { timers, who } = this.#options
    const cancel = timers.after(SILENCE_MILLIS, () => this.fail(silent(who)))
    try {
      while (this.#arrived.length === 0 && this.#failure === undefined)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    } finally {
      cancel()
    }
    const message = this.#arrived.shift()
    if (this.#failure !== undefined || message === undefined) throw this.#failure
    this.#bytesArrived -= message.body.length
    return message
  }

  /** The other side may send as much again. */
  noteRead(bytes: number): void {
    this.#bytesRead += bytes
    this.#say(hasRead(this.#bytesRead))
  }

  fail(reason: unknown): void {
    this.#failure ??= reason
    this.#wake()
  }

  /** Where not all has come, the other side is told to stop; also one that has not said yet where it listens. */
  end({ isComplete = false } = {}): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.fail(new Fault('unavailable', 'This call is over'))
    if (isComplete || this.#otherSide !== undefined) this.#stop(isComplete)
    else this.#options.timers.after(SILENCE_MILLIS, () => this.#unlisten())
  }

  readonly #abort = (): void => this.fail(this.#options.signal?.reason)

  #stop(isComplete: boolean): void {
    if (!isComplete) this.#say(WANTS_NO_MORE)
    this.#unlisten()
  }

  #heed(message: HeardMessage): void {
    this.#otherSide ??= message.reply
    if (this.#isOver) this.#stop(message.isUnheard)
    else this.#keep(message)
  }

  #keep(message: HeardMessage): void {
    this.#bytesArrived += message.body.length
    if (this.#bytesArrived > MOST_UNREAD) this.fail(tooMuch(this.#options.who))
    else this.#arrived.push(message)
    // A sign of life is answered by one, also while nobody reads.
    if (message.body.length === 0) this.#say(hasRead(this.#bytesRead))
    this.#wake()
  }

  #say(text: string): void {
    if (this.#otherSide === undefined) return
    this.#options.wire.publish(this.#otherSide, { proof: '', body: new TextEncoder().encode(text) })
  }
}

const silent = (who: string): Fault =>
  new Fault('unavailable', `${who} did not answer in time`, {
    next: 'See with `cacpd status` there whether its daemon runs',
  })

const tooMuch = (who: string): Fault => new Fault('unavailable', `${who} sent more than anybody read`)
