import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SseFrame } from '../../protocol/sse/sse.ts'
import type { EventStream } from '../reply/sse.ts'

/** Characters of what may wait to go out. */
const MOST = 64 * 1024

/** For frames that come one by one: those of the same turn go out together, because each going out costs. */
export function gather(events: Pick<EventStream, 'send'>) {
  let waiting: SseFrame[] = []
  let length = 0
  let leaving: Promise<void> | undefined

  async function leave(): Promise<void> {
    await nextTurn()
    while (waiting.length > 0) {
      const frames = waiting
      waiting = []
      length = 0
      await events.send(frames)
    }
    leaving = undefined
  }

  return {
    /** Resolves when there is room for more: nothing piles up for a reader that is slow. */
    async send(frame: SseFrame): Promise<void> {
      waiting.push(frame)
      length += frame.data.length
      leaving ??= leave()
      if (length >= MOST) await leaving
    },
    /** Resolves when all of them are out. */
    flush: async (): Promise<void> => leaving,
  }
}
