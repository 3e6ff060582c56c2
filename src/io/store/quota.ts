import type { LocalChange } from '../../domain/change.ts'
import { type Entry, isDrop, isShared, type LocalEntry, type SharedEntry } from './journal/entry.ts'

/** What the store takes of the disk, with what is on its way there: the snapshot, the journals and the files. */
export class Quota {
  readonly limit: number
  snapshot = 0
  journal: () => number = () => 0
  files = 0

  constructor(limit: number) {
    this.limit = limit
  }

  get used(): number {
    return this.snapshot + this.journal() + this.files
  }

  /** Whether so much more would be too much. */
  isExceeded(more = 0): boolean {
    return this.used + more > this.limit
  }

  /** The same for what other daemons say, who must not fill all of it: then nobody here could say anything. */
  isExceededByOthers(more: number): boolean {
    return this.used + more > this.limit * OTHERS_SHARE
  }
}

const OTHERS_SHARE = 0.75

/**
 * Who is let in and who is shut out, and how far the peers are. Each of these tables has a bound of its own, so whoever
 * fills the store with anything else cannot keep the operator from shutting him out.
 */
const ALWAYS_KEPT: ReadonlySet<LocalChange['table']> = new Set([
  'peer',
  'key',
  'credential',
  'invite',
  'token',
  'guest',
  'used',
  'link',
])

/**
 * Whether what is kept has to be kept in a full store, too: it only takes something away, or all of it is about trust,
 * but for the answer to the call.
 */
export function isAlwaysKept(entries: readonly Entry[]): boolean {
  const added = entries.filter(
    (entry) => isShared(entry) || (!isDrop(entry) && entry.value !== null),
  ) as readonly (SharedEntry | LocalEntry)[]
  if (added.length === 0) return true
  return (
    added.every((entry) => !isShared(entry) && (ALWAYS_KEPT.has(entry.table) || entry.table === 'answer')) &&
    added.some((entry) => !isShared(entry) && ALWAYS_KEPT.has(entry.table))
  )
}
