import { uuidv7 } from 'uuidv7'
import type { Clock } from '../../engine/ports/ports.ts'
import { stampOfMillis } from '../../protocol/stamp.ts'
import { newNonce } from '../identity/secret.ts'

let lastMillis = 0
let micros = 0

export const systemClock: Clock = {
  /** Calls within one millisecond get increasing microseconds, so that what comes later has a later stamp. */
  now: () => {
    const millis = Date.now()
    micros = millis === lastMillis ? Math.min(micros + 1, 999) : 0
    lastMillis = millis
    return stampOfMillis(millis, micros)
  },
  newId: uuidv7,
  newNonce,
}
