import { uuidv7 } from 'uuidv7'
import type { Clock } from '../engine/ports.ts'
import { stampOfMillis } from '../protocol/stamp.ts'

export const systemClock: Clock = {
  now: () => stampOfMillis(Date.now()),
  newId: uuidv7,
}
