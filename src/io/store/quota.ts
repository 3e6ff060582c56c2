import type { LocalChange } from '../../domain/change.ts'
import { type Entry, isShared } from './entry.ts'

/** How many bytes the store holds, counted where they come and go: entities, local tables and files together. */
export class Quota {
  readonly limit: number
  used = 0

  constructor(limit: number) {
    this.limit = limit
  }

  get isExceeded(): boolean {
    return this.used > this.limit
  }
}

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

/** Whether what is kept has to be kept in a full store, too: all of it is about trust, but for the answer to the call. */
export function isAlwaysKept(entries: readonly Entry[]): boolean {
  const added = entries.filter((entry) => isShared(entry) || entry.value !== null)
  return (
    added.every((entry) => !isShared(entry) && (ALWAYS_KEPT.has(entry.table) || entry.table === 'answer')) &&
    added.some((entry) => !isShared(entry) && ALWAYS_KEPT.has(entry.table))
  )
}
