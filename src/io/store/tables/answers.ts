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

export type AnswerTable = ReturnType<typeof createAnswerTable>

/**
 * Stored answers by idempotency key, in the order they came, which is the order they expire in. Each new answer
 * removes the expired ones at the front, so nobody ever walks through the whole table. An answer from a time when the
 * clock was ahead would block that: its time starts when it is found, and it is moved to the end.
 */
export function createAnswerTable(readTime: () => Stamp) {
  const kept = new Map<string, StoredAnswer>()

  function sweep(): void {
    const now = readTime()
    const horizon = horizonAt(now)
    for (const [key, { entry, since }] of kept) {
      if (since > now) {
        kept.delete(key)
        kept.set(key, { entry, since: now })
      } else if (since >= horizon) return
      else kept.delete(key)
    }
  }

  /** The answers that have not expired. */
  function* entries(): Iterable<StoredAnswer['entry']> {
    const horizon = horizonAt(readTime())
    for (const { entry, since } of kept.values()) if (since >= horizon) yield entry
  }

  return {
    entries,
    get(key: string): Answer | undefined {
      const found = kept.get(key)
      return found === undefined || found.since < horizonAt(readTime()) ? undefined : found.entry.value
    },
    entry: (key: string): AnswerEntry | undefined => kept.get(key)?.entry,
    put(entry: AnswerEntry): void {
      kept.delete(entry.id)
      if (entry.value === null) return
      kept.set(entry.id, { entry: { ...entry, value: entry.value }, since: entry.value.at })
      sweep()
    },
    *all(): Iterable<Answer> {
      for (const { value } of entries()) yield value
    },
  }
}

const horizonAt = (now: Stamp): Stamp => addMicros(now, -KEPT_MICROS)
