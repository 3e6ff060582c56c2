import type { LocalChange, StatementName } from '../../../domain/change.ts'
import type { Unsigned } from '../../../domain/statements/say.ts'
import { type Statement, textOf, withoutContent } from '../../../domain/statements/statement.ts'
import { statementTextOf } from '../../../domain/statements/statement-text.ts'
import type { Kept } from '../../../domain/views/statement-index.ts'
import { notSigned } from '../refusals.ts'

/**
 * A change as it is stored: one element of a journal frame, and one line of the snapshot. `bytes` is the size of its
 * JSON text, remembered so that nothing is serialized only to measure it.
 */
export type SharedEntry = Kept
export type LocalEntry = LocalChange & { readonly bytes: number }
/** The removal of a statement. It has a sequence number, like the statements themselves. */
export interface DropEntry {
  readonly seq: number
  readonly project_id: string
  readonly drop: string
}
export type Entry = SharedEntry | DropEntry | LocalEntry

/** Signs the id of a statement with this key of ours. */
export type Sign = (id: string, keyId: string) => Promise<string>

/** An entry as it is written to the journal. */
export interface EntryText {
  /** A promise for a statement of this daemon, which is written when it has its signature. */
  readonly text: string | Promise<string>
  readonly chars: number
}

export interface Serialized<E extends Entry> extends EntryText {
  readonly entry: E
}

export function serializeReceived(statement: Statement, seq: number): Serialized<SharedEntry> {
  const said = textOf(statement)
  const bytes = Buffer.byteLength(said)
  const text = entryText(seq, bytes, said)
  return { entry: { seq, bytes, statement }, text, chars: text.length }
}

const entryText = (seq: number, bytes: number, said: string): string =>
  `{"seq":${seq},"bytes":${bytes},"statement":${said}}`

/** A placeholder with the length of every signature. */
const NO_SIGNATURE = 'A'.repeat(86)

/** Statements whose signatures are being made. */
const signing = new WeakMap<Statement, Promise<string>>()

/**
 * A statement of this daemon takes effect in memory at once and is signed on another thread. It is neither announced
 * nor sent before it has been written with its signature.
 */
export function serializeOwn(unsigned: Unsigned, seq: number, sign: Sign): Serialized<SharedEntry> {
  const statement = { ...unsigned, sig: NO_SIGNATURE }
  const { before, after } = statementTextOf(unsigned)
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
  // Nobody may wait for it any more when its frame was undone; that must not be an unhandled rejection.
  text.catch(() => {})
  const chars = before.length + NO_SIGNATURE.length + after.length
  return { entry: { seq, bytes, statement }, text, chars }
}

export function serializeDrop({ project_id, id: drop }: StatementName, seq: number): Serialized<DropEntry> {
  const entry = { seq, project_id, drop }
  const text = JSON.stringify(entry)
  return { entry, text, chars: text.length }
}

/** The same statement without its content. */
export function bareOf({ statement, seq }: SharedEntry): SharedEntry {
  const bare = withoutContent(statement)
  const sign = (sig: string) => void Object.assign(bare, { sig })
  signing.get(statement)?.then(sign, () => {}) // callers of the commit get the error
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

export const isShared = (entry: Entry): entry is SharedEntry => 'statement' in entry

export const isDrop = (entry: Entry): entry is DropEntry => 'drop' in entry
