import type { LocalChange } from '../../../domain/change.ts'
import type { LocalEntry } from '../journal/entry.ts'
import { SortedTable } from './sorted-table.ts'

type RowOf<Name extends LocalChange['table']> = NonNullable<Extract<LocalChange, { table: Name }>['value']>

/** The rows of one local table. Without a rank they are sorted by id. */
export class LocalTable<Name extends LocalChange['table']> extends SortedTable<RowOf<Name>, LocalEntry> {
  readonly #rankOf: (row: RowOf<Name>) => string

  constructor(rankOf: (row: RowOf<Name>) => string = () => '') {
    super()
    this.#rankOf = rankOf
  }

  /** The entry must be of this table. Returns a function that undoes it. */
  apply(entry: LocalEntry): () => void {
    const { id } = entry
    const value = entry.value as RowOf<Name> | null
    const before = this.item(id)
    const after = value === null ? undefined : { id, rank: this.#rankOf(value), value, entry }
    this.swap(before, after)
    return () => this.swap(after, before)
  }
}
