import type { RunnerEvent } from '../../protocol/run/event.ts'
import { RunError } from '../ports/run-ports.ts'
import { RUN_BOUNDS } from './rules.ts'

/** The event as events within their bounds: a long delta becomes several, never cut in the middle of a character. */
export function splitEvent(event: RunnerEvent): readonly RunnerEvent[] {
  if (event.type === 'text' || event.type === 'reasoning') {
    const { length } = event.delta
    if (length > 0 && length <= RUN_BOUNDS.deltaLength && event.delta.isWellFormed()) return [event]
    const delta = event.delta.toWellFormed()
    return cut(delta, RUN_BOUNDS.deltaLength).map((piece) => ({ ...event, delta: piece }))
  }
  if (JSON.stringify(event).length > RUN_BOUNDS.eventLength)
    throw new RunError({
      kind: 'bad_output',
      message: `The agent told an event of type ${event.type} larger than ${RUN_BOUNDS.eventLength / 1024} KiB`,
    })
  return [event]
}

/** An empty text has no pieces. */
export function cut(text: string, length: number): string[] {
  if (text.length <= length) return text === '' ? [] : [text]
  const found: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length)
    const isBetweenHalves = end < text.length && isHighSurrogate(text.charCodeAt(end - 1))
    const stop = isBetweenHalves && end - 1 > start ? end - 1 : end
    found.push(text.slice(start, stop))
    start = stop
  }
  return found
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
