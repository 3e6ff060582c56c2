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

export type Listening = ReturnType<typeof listenForAnswer>

/** The caller's ear for one call: hands over what arrives, in order, and tells the other side what was read. */
export function listenForAnswer({ wire, timers, signal, who }: ListeningOptions) {
  const inbox = wire.newInbox()
  const arrived: HeardMessage[] = []
  let bytesArrived = 0
  let bytesRead = 0
  /** Where the other side listens meanwhile; known with its first message. */
  let otherSide: string | undefined
  let failure: unknown
  let isOver = false
  let wake = () => {}
  const unlisten = wire.listen(inbox, heed)
  const abort = () => fail(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })

  return {
    inbox,
    fail,

    /** The next message. Throws where none comes for too long, and after `fail` or the abort of the signal. */
    async next(): Promise<HeardMessage> {
      const cancel = timers.after(SILENCE_MILLIS, () => fail(silent(who)))
      try {
        while (arrived.length === 0 && failure === undefined)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      } finally {
        cancel()
      }
      const message = arrived.shift()
      if (failure !== undefined || message === undefined) throw failure
      bytesArrived -= message.body.length
      return message
    },

    /** The other side may send as much again. */
    noteRead(bytes: number): void {
      bytesRead += bytes
      say(hasRead(bytesRead))
    },

    /** Where not all has come, the other side is told to stop; also one that has not said yet where it listens. */
    end({ isComplete = false } = {}): void {
      if (isOver) return
      isOver = true
      signal?.removeEventListener('abort', abort)
      fail(new Fault('unavailable', 'This call is over'))
      if (isComplete || otherSide !== undefined) stop(isComplete)
      else timers.after(SILENCE_MILLIS, () => unlisten())
    },
  }

  function fail(reason: unknown): void {
    failure ??= reason
    wake()
  }

  function stop(isComplete: boolean): void {
    if (!isComplete) say(WANTS_NO_MORE)
    unlisten()
  }

  function heed(message: HeardMessage): void {
    otherSide ??= message.reply
    if (isOver) stop(message.isUnheard)
    else keep(message)
  }

  function keep(message: HeardMessage): void {
    bytesArrived += message.body.length
    if (bytesArrived > MOST_UNREAD) fail(tooMuch(who))
    else arrived.push(message)
    // A sign of life is answered by one, also while nobody reads.
    if (message.body.length === 0) say(hasRead(bytesRead))
    wake()
  }

  function say(text: string): void {
    if (otherSide === undefined) return
    wire.publish(otherSide, { proof: '', body: new TextEncoder().encode(text) })
  }
}

const silent = (who: string): Fault =>
  new Fault('unavailable', `${who} did not answer in time`, {
    next: 'See with `cacpd status` there whether its daemon runs',
  })

const tooMuch = (who: string): Fault => new Fault('unavailable', `${who} sent more than anybody read`)
