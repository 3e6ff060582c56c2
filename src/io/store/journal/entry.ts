import type { LocalChange, StatementName } from '../../../domain/change.ts'
import { saidTextOf } from '../../../domain/statements/said-text.ts'
import type { Unsigned } from '../../../domain/statements/say.ts'
import { type Statement, textOf, withoutContent } from '../../../domain/statements/statement.ts'
import type { Kept } from '../../../domain/views/statement-index.ts'
import { notSigned } from '../refusals.ts'

/**
 * What happened as it is kept: one element of a journal frame, and one line of the snapshot.
 * `bytes` is the size of its JSON text, remembered so that nothing is serialized only to be weighed.
 */
export type SharedEntry = Kept
export type LocalEntry = LocalChange & { readonly bytes: number }
/** A statement that is kept no more, which has a place in the order like those that are. */
export interface DropEntry {
  readonly seq: number
  readonly project_id: string
  readonly drop: string
}
export type Entry = SharedEntry | DropEntry | LocalEntry

/** Makes the signature of a statement of this id, with that key of ours. */
export type Sign = (id: string, keyId: string) => Promise<string>

/** What is written of an entry. */
export interface EntryText {
  /** What this daemon says itself is written when it has its signature. */
  readonly text: string | Promise<string>
  readonly chars: number
}

export interface Serialized<E extends Entry> extends EntryText {
  readonly entry: E
}

export function serializeTaken(statement: Statement, seq: number): Serialized<SharedEntry> {
  const said = textOf(statement)
  const bytes = Buffer.byteLength(said)
  const text = entryText(seq, bytes, said)
  return { entry: { seq, bytes, statement }, text, chars: text.length }
}

const entryText = (seq: number, bytes: number, said: string): string =>
  `{"seq":${seq},"bytes":${bytes},"statement":${said}}`

/** As long as every signature. */
const NO_SIGNATURE = 'A'.repeat(86)

/** Those whose signatures are being made. */
const signing = new WeakMap<Statement, Promise<string>>()

/**
 * What is said has an effect in memory at once, and gets its signature on another thread. Nobody is told of it, and
 * nothing of it is sent, before it is written with that.
 */
export function serializeSaid(unsigned: Unsigned, seq: number, sign: Sign): Serialized<SharedEntry> {
  const statement = { ...unsigned, sig: NO_SIGNATURE }
  const { before, after } = saidTextOf(unsigned)
  const bytes = Buffer.byteLength(before) + NO_SIGNATURE.length + Buffer.byteLength(after)
  const signed = sign(unsigned.id, unsigned.key)
  signing.set(statement, signed)
  const text = signed.then(
    (sig) => {
      statement.sig = sig
      signing.delete(statement)
      return entryText(seq, bytes, before + sig + after)
    },
    (cause: unknown) => Promise.reject(notSigned(cause)),
  )
  // A frame that was taken back is waited for by nobody.
  text.catch(() => {})
  const chars = before.length + NO_SIGNATURE.length + after.length
  return { entry: { seq, bytes, statement }, text, chars }
}

export function serializeDrop({ project_id, id: drop }: StatementName, seq: number): Serialized<DropEntry> {
  const entry = { seq, project_id, drop }
  const text = JSON.stringify(entry)
  return { entry, text, chars: text.length }
}

/** The same statement after its content was taken away. */
export function bareOf({ statement, seq }: SharedEntry): SharedEntry {
  const bare = withoutContent(statement)
  const sign = (sig: string) => void Object.assign(bare, { sig })
  signing.get(statement)?.then(sign, () => {}) // told to those who wait for it
  return { statement: bare, bytes: Buffer.byteLength(textOf(bare)), seq }
}

export function serializeLocal(change: LocalChange): Serialized<LocalEntry> {
  const { table, id } = change
  const value = JSON.stringify(change.value)
  const bytes = change.value === null ? 0 : Buffer.byteLength(value)
  const names = `"table":"${table}","id":${JSON.stringify(id)}`
  const text = `{"bytes":${bytes},${names},"value":${value}}`
  return { entry: { bytes, ...change }, text, chars: text.length }
}

export function isShared(entry: Entry): entry is SharedEntry {
  return 'statement' in entry
}

export function isDrop(entry: Entry): entry is DropEntry {
  return 'drop' in entry
}
