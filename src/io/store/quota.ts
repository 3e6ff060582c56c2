import type { LocalChange } from '../../domain/change.ts'
import { type Entry, isDrop, isShared, type LocalEntry, type SharedEntry } from './journal/entry.ts'

/**
 * How many bytes the store takes of the disk: the snapshot, the journals (with what waits to be written) and the
 * files.
 */
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

  isExceeded(more = 0): boolean {
    return this.used + more > this.limit
  }

  /** The same for statements of other daemons: they may fill only a part, so that local callers can still write. */
  isExceededByOthers(more: number): boolean {
    return this.used + more > this.limit * OTHERS_SHARE
  }
}

const OTHERS_SHARE = 0.75

/**
 * Tables about who is trusted and how far replication has come. Each of them has a bound of its own. They can be
 * written in a full store too, so that the operator can still shut out whoever filled it.
 */
const ALWAYS_KEPT: ReadonlySet<LocalChange['table']> = new Set([
  'peer',
  'key',
  'credential',
  'invite',
  'token',
  'session',
  'guest',
  'used',
  'link',
])

/**
 * Whether these entries are written even in a full store: they only remove something, or they change only the tables
 * above (and store the answer to the call that did so).
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
