import * as z from 'zod'
import { ECHO_BOUNDS } from '../../protocol/run/echo.ts'
import { promptOf } from '../../protocol/run/request.ts'
import type { Timers } from '../ports/ports.ts'
import type { Runner } from '../ports/run-ports.ts'
import { sleep } from '../timing/wait-until.ts'
import { badParameter, readParameters } from './parameters.ts'

const Parameters = z.object({
  text: z.string().optional(),
  repeat: z.int().min(1).max(ECHO_BOUNDS.repeat).default(1),
  /** The pause between two repetitions; with a pause each repetition is a step, too. */
  delay_ms: z.int().min(0).max(ECHO_BOUNDS.delayMillis).default(0),
})

/** Answers with the text of the request, to try the connection. */
export function createEcho(timers: Timers): Runner {
  return {
    name: 'echo',
    limit: Number.POSITIVE_INFINITY,
    async run(request, { emit, signal }) {
      const { text = promptOf(request), repeat, delay_ms: delay } = readParameters(Parameters, request)
      const length = text.length * repeat
      if (length > ECHO_BOUNDS.length)
        throw badParameter(
          'repeat',
          `makes ${length} characters of the text, and echo says at most ${ECHO_BOUNDS.length}; repeat it less often`,
        )
      for (let time = 1; time <= repeat && !signal.aborted; time++) {
        await emit({ type: 'text', delta: text })
        if (delay === 0) continue
        const progress = Math.floor((100 * time) / repeat)
        await emit({
          type: 'step',
          number: time,
          name: 'echo',
          output: '',
          progress,
          status: 'step_completed',
        })
        if (time < repeat) await sleep(timers, delay, signal)
      }
      return {}
    },
  }
}
