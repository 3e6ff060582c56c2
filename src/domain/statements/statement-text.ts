import { canonicalText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { certifiedId } from './certified-id.ts'
import type { Unsigned } from './say.ts'
import { excessIn } from './statement.ts'

/** A statement that has no id yet. Without `about` it opens an entity. */
export type StatementWithoutId = Omit<Unsigned, 'id' | 'about'> & { readonly about?: string }

/** The text of a statement by this daemon. Body and content are serialised once, to be measured, hashed and written. */
export class StatementText {
  readonly excess: string | undefined
  /** The entity; derived from the statement if it opens one. */
  readonly about: string
  readonly id: string
  /** The text of the statement before and after its signature. */
  readonly before: string
  readonly after: string

  constructor(said: StatementWithoutId, knownId?: string) {
    const { at, body, content, content_hash, key, kind, project_id, under } = said
    const bodyText = canonicalText(body)
    const contentText = content === undefined ? undefined : canonicalText(content.value)
    const salt = content === undefined ? undefined : canonicalText(content.salt)
    // The keys are written in canonical order.
    const what = `"at":${canonicalText(at)},"body":${bodyText}`
    const author = `,"key":${canonicalText(key)},"kind":${canonicalText(kind)},"project_id":${canonicalText(project_id)}`
    const end = under === undefined ? '}' : `,"under":${canonicalText(under)}}`
    const contentHash = contentText === undefined ? content_hash : sha256(`[${salt},${contentText}]`)
    const hash = contentHash === undefined ? '' : `,"content_hash":"${contentHash}"`
    this.about = said.about ?? certifiedId(at, `{${what}${hash}${author}${end}`)
    const begin = `{"about":${canonicalText(this.about)},${what}`
    // A statement that is made again with another time may have lost its content before.
    const value = contentText === undefined ? hash : `,"content":{"salt":${salt},"value":${contentText}}`

    this.excess = excessIn(bodyText, contentText)
    this.id = knownId ?? sha256(`${begin}${hash}${author}${end}`)
    this.before = `${begin}${value},"id":"${this.id}"${author},"sig":"`
    this.after = `"${end}`
  }
}

/** Texts of statements that are not written yet. */
const texts = new WeakMap<Unsigned, StatementText>()

/** Gives the statement its id, and keeps its text until it is written. */
export function withText(said: StatementWithoutId, text: StatementText): Unsigned {
  const unsigned = { ...said, about: text.about, id: text.id }
  texts.set(unsigned, text)
  return unsigned
}

export const statementTextOf = (unsigned: Unsigned): StatementText =>
  texts.get(unsigned) ?? new StatementText(unsigned, unsigned.id)
