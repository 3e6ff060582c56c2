import type { RunnerEvent } from '../../protocol/run/event.ts'
import { partsOf } from '../../protocol/text/split.ts'
import { RunError } from '../ports/run-ports.ts'
import { RUN_BOUNDS } from './rules.ts'

/** The event as events within their bounds: a long delta becomes several, never cut in the middle of a character. */
export function splitEvent(event: RunnerEvent): readonly RunnerEvent[] {
  if (event.type === 'text' || event.type === 'reasoning') {
    const { length } = event.delta
    if (length > 0 && length <= RUN_BOUNDS.deltaLength && event.delta.isWellFormed()) return [event]
    const delta = event.delta.toWellFormed()
    return [...partsOf(delta, RUN_BOUNDS.deltaLength)].map((part) => ({ ...event, delta: part }))
  }
  if (JSON.stringify(event).length > RUN_BOUNDS.eventLength)
    throw new RunError({
      kind: 'bad_output',
      message: `The agent told an event of type ${event.type} larger than ${RUN_BOUNDS.eventLength / 1024} KiB`,
    })
  return [event]
}
