import type { Answer } from '../../domain/model.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { LocalEntry } from './entry.ts'
import type { Quota } from './quota.ts'

export type AnswerEntry = LocalEntry & { readonly table: 'answer' }

const KEPT_MICROS = LIMITS.idempotencySeconds * 1_000_000

/**
 * Stored answers by idempotency key, in the order they came, which is the order they expire in.
 * Each new one sweeps out what has expired before it, so nobody ever walks through the whole table.
 */
export class AnswerTable {
  readonly #entries = new Map<string, AnswerEntry & { readonly value: Answer }>()
  readonly #quota: Quota
  readonly #now: () => Stamp

  constructor(quota: Quota, now: () => Stamp) {
    this.#quota = quota
    this.#now = now
  }

  get(key: string): Answer | undefined {
    const answer = this.#entries.get(key)?.value
    return answer === undefined || answer.at < this.#horizon() ? undefined : answer
  }

  entry(key: string): AnswerEntry | undefined {
    return this.#entries.get(key)
  }

  put(entry: AnswerEntry): void {
    this.#drop(entry.id)
    if (entry.value === null) return
    this.#entries.set(entry.id, { ...entry, value: entry.value })
    this.#quota.used += entry.bytes
    this.#sweep()
  }

  /** Those that still count. */
  *entries(): Iterable<AnswerEntry> {
    const horizon = this.#horizon()
    for (const entry of this.#entries.values()) if (entry.value.at >= horizon) yield entry
  }

  #sweep(): void {
    const horizon = this.#horizon()
    for (const [key, { value }] of this.#entries) {
      if (value.at >= horizon) return
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    this.#quota.used -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  #horizon(): Stamp {
    return addMicros(this.#now(), -KEPT_MICROS)
  }
}
