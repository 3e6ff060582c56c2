import type { LocalChange } from '../../domain/change.ts'
import type { Unsigned } from '../../domain/statements/say.ts'
import { type Statement, textOf } from '../../domain/statements/statement.ts'
import type { Kept } from '../../domain/views/project-statements.ts'

/**
 * What happened as it is kept: one element of a journal frame, and one line of the snapshot.
 * `bytes` is the size of its JSON text, remembered so that nothing is serialized only to be weighed.
 */
export type SharedEntry = Kept
export type LocalEntry = LocalChange & { readonly bytes: number }
export type Entry = SharedEntry | LocalEntry

/** Makes the signature of a statement of this id, with that key of ours. */
export type Sign = (id: string, keyId: string) => Promise<string>

export interface Serialized<E extends Entry> {
  readonly entry: E
  /** What this daemon says itself is written when it has its signature. */
  readonly text: string | Promise<string>
}

export const serializeTaken = (statement: Statement, seq: number): Serialized<SharedEntry> =>
  serializeStatement(statement, textOf(statement), seq)

function serializeStatement(statement: Statement, said: string, seq: number): Serialized<SharedEntry> {
  const bytes = Buffer.byteLength(said)
  return { entry: { seq, bytes, statement }, text: entryText(seq, bytes, said) }
}

const entryText = (seq: number, bytes: number, said: string): string =>
  `{"seq":${seq},"bytes":${bytes},"statement":${said}}`

/** As long as every signature. */
const NO_SIGNATURE = 'A'.repeat(86)

/**
 * What is said has an effect in memory at once, and gets its signature on another thread. Nobody is told of it, and
 * nothing of it is sent, before it is written with that.
 */
export function serializeSaid(unsigned: Unsigned, seq: number, sign: Sign): Serialized<SharedEntry> {
  const statement: Statement = { ...unsigned, sig: NO_SIGNATURE }
  const said = textOf(statement)
  const bytes = Buffer.byteLength(said)
  const place = said.lastIndexOf(NO_SIGNATURE)
  const text = sign(unsigned.id, unsigned.key).then((sig) => {
    Object.assign(statement, { sig })
    return entryText(seq, bytes, said.slice(0, place) + sig + said.slice(place + sig.length))
  })
  // A frame that was taken back is waited for by nobody.
  text.catch(() => {})
  return { entry: { seq, bytes, statement }, text }
}

export function serializeLocal(change: LocalChange): Serialized<LocalEntry> {
  const { table, id } = change
  const value = JSON.stringify(change.value)
  const bytes = change.value === null ? 0 : Buffer.byteLength(value)
  const names = `"table":"${table}","id":${JSON.stringify(id)}`
  return { entry: { bytes, ...change }, text: `{"bytes":${bytes},${names},"value":${value}}` }
}

export const textOfEntry = (entry: Entry): string =>
  isShared(entry)
    ? entryText(entry.seq, entry.bytes, textOf(entry.statement))
    : (serializeLocal(entry).text as string)

export function isShared(entry: Entry): entry is SharedEntry {
  return 'statement' in entry
}
