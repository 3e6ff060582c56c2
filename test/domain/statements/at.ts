import { addMicros, type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'

const BEGIN = Date.UTC(2026, 0, 1)

/** The stamp that many seconds into the story, and microseconds. */
export const at = (second: number, micros = 0): Stamp =>
  addMicros(stampOfMillis(BEGIN + second * 1000), micros)
