import type { Clock } from '../../../src/engine/ports/ports.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

const BEGIN = Date.UTC(2026, 10, 16, 9)

/** Time that goes on only when the story does. */
export class StoryClock {
  #millis = BEGIN

  get millis(): number {
    return this.#millis
  }

  pass(seconds: number): void {
    this.#millis += seconds * 1000
  }

  /**
   * The clock of one daemon, with ids that are the same in every telling. Of two that do something at the same moment,
   * the one whose clock is ahead does it later, in every telling.
   */
  of(name: string, aheadMillis: number): Clock {
    let [last, micros, made] = [0, 0, 0]
    const hex = () => sha256(`${name} ${made++}`)
    return {
      now: () => {
        const millis = this.#millis + aheadMillis
        micros = millis === last ? Math.min(micros + 1, 999) : 0
        last = millis
        return stampOfMillis(millis, micros)
      },
      newId: () => `${hex().slice(0, 8)}-0000-7000-8000-${hex().slice(0, 12)}`,
      newNonce: () => sha256(`${name} ${made++}`, 'base64url').slice(0, 22),
    }
  }
}
