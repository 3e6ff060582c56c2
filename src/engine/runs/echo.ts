import { z } from 'zod'
import { promptOf } from '../../protocol/run/request.ts'
import type { Timers } from '../ports.ts'
import type { Runner } from '../run-ports.ts'
import { readParameters } from './parameters.ts'

/** Characters in all. */
const MOST = 8 * 1024 * 1024

const Parameters = z.object({
  text: z.string().optional(),
  repeat: z.int().min(1).max(100_000).default(1),
  /** Between two of them; then each is told as a step, too. */
  delay_ms: z.int().min(0).max(10_000).default(0),
})

/** Says what it is told, to try the line with. */
export function createEcho(timers: Timers): Runner {
  const wait = (millis: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const cancel = timers.after(millis, done)
      function done() {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      if (signal.aborted) done()
    })

  return {
    name: 'echo',
    limit: Number.POSITIVE_INFINITY,
    async run(request, { emit, signal }) {
      const { text = promptOf(request), repeat, delay_ms: delay } = readParameters(Parameters, request)
      const times = Math.min(repeat, Math.floor(MOST / Math.max(1, text.length)))
      for (let time = 1; time <= times && !signal.aborted; time++) {
        await emit({ type: 'text', delta: text })
        if (delay === 0) continue
        const progress = Math.floor((100 * time) / times)
        await emit({
          type: 'step',
          number: time,
          name: 'echo',
          output: '',
          progress,
          status: 'step_completed',
        })
        if (time < times) await wait(delay, signal)
      }
      return {}
    },
  }
}
