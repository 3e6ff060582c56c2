import type { Change, LocalChange } from '../../domain/change.ts'

/**
 * A change as it is kept: one element of a journal frame, and one line of the snapshot.
 * `bytes` is the size of the value's JSON text, remembered so that nothing is serialized only to be weighed.
 */
export type SharedEntry = Change & { readonly seq: number; readonly bytes: number }
export type LocalEntry = LocalChange & { readonly bytes: number }
export type Entry = SharedEntry | LocalEntry

export interface Serialized<E extends Entry> {
  readonly entry: E
  readonly text: string
}

export function serializeShared(change: Change, seq: number): Serialized<SharedEntry> {
  const { kind, project_id, id } = change
  const value = JSON.stringify(change.value)
  const bytes = Buffer.byteLength(value)
  const names = `"kind":"${kind}","project_id":${JSON.stringify(project_id)},"id":${JSON.stringify(id)}`
  return {
    entry: { seq, bytes, ...change },
    text: `{"seq":${seq},"bytes":${bytes},${names},"value":${value}}`,
  }
}

export function serializeLocal(change: LocalChange): Serialized<LocalEntry> {
  const { table, id } = change
  const value = JSON.stringify(change.value)
  const bytes = change.value === null ? 0 : Buffer.byteLength(value)
  const names = `"table":"${table}","id":${JSON.stringify(id)}`
  return { entry: { bytes, ...change }, text: `{"bytes":${bytes},${names},"value":${value}}` }
}

export function isShared(entry: Entry): entry is SharedEntry {
  return 'kind' in entry
}
