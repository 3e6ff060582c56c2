import type { Answer } from '../../../domain/model.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'
import type { LocalEntry } from '../journal/entry.ts'

export type AnswerEntry = LocalEntry & { readonly table: 'answer' }

const KEPT_MICROS = LIMITS.idempotencySeconds * 1_000_000

interface StoredAnswer {
  readonly entry: AnswerEntry & { readonly value: Answer }
  /** When its time to live began: when the answer was given, or, if that lies in the future, when it was noticed. */
  readonly since: Stamp
}

/**
 * Stored answers by idempotency key, in the order they came, which is the order they expire in. Each new answer
 * removes the expired ones at the front, so nobody ever walks through the whole table. An answer from a time when the
 * clock was ahead would block that: its time starts when it is found, and it is moved to the end.
 */
export class AnswerTable {
  readonly #kept = new Map<string, StoredAnswer>()
  readonly #now: () => Stamp

  constructor(now: () => Stamp) {
    this.#now = now
  }

  get(key: string): Answer | undefined {
    const kept = this.#kept.get(key)
    return kept === undefined || kept.since < horizonAt(this.#now()) ? undefined : kept.entry.value
  }

  entry(key: string): AnswerEntry | undefined {
    return this.#kept.get(key)?.entry
  }

  put(entry: AnswerEntry): void {
    this.#kept.delete(entry.id)
    if (entry.value === null) return
    this.#kept.set(entry.id, { entry: { ...entry, value: entry.value }, since: entry.value.at })
    this.#sweep()
  }

  *all(): Iterable<Answer> {
    for (const { value } of this.entries()) if (value !== null) yield value
  }

  /** The answers that have not expired. */
  *entries(): Iterable<AnswerEntry> {
    const horizon = horizonAt(this.#now())
    for (const { entry, since } of this.#kept.values()) if (since >= horizon) yield entry
  }

  #sweep(): void {
    const now = this.#now()
    const horizon = horizonAt(now)
    for (const [key, { entry, since }] of this.#kept) {
      if (since > now) {
        this.#kept.delete(key)
        this.#kept.set(key, { entry, since: now })
      } else if (since >= horizon) return
      else this.#kept.delete(key)
    }
  }
}

const horizonAt = (now: Stamp): Stamp => addMicros(now, -KEPT_MICROS)
