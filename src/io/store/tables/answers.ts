import type { Answer } from '../../../domain/model.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'
import type { LocalEntry } from '../journal/entry.ts'

export type AnswerEntry = LocalEntry & { readonly table: 'answer' }

const KEPT_MICROS = LIMITS.idempotencySeconds * 1_000_000

interface Kept {
  readonly entry: AnswerEntry & { readonly value: Answer }
  /** From when on its time runs: when it was given, unless that is still to come. */
  readonly since: Stamp
}

/**
 * Stored answers by idempotency key, in the order they came, which is the order they expire in. Each new one sweeps
 * out what has expired before it, so nobody ever walks through the whole table. One from a time when the clock was
 * ahead would stop that: its time runs from when it is come across, and it goes to the end.
 */
export class AnswerTable {
  readonly #kept = new Map<string, Kept>()
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

  /** Those that still count. */
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
