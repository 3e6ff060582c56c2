import { canonicalText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { certifiedId } from './certified-id.ts'
import type { Unsigned } from './say.ts'
import { excessIn } from './statement.ts'

/** A statement that has no id yet. Without `about` it opens an entity. */
export type StatementWithoutId = Omit<Unsigned, 'id' | 'about'> & { readonly about?: string }

export type StatementText = ReturnType<typeof textOfStatement>

/**
 * The text of a statement by this daemon before and after its signature, with its id and what it is about, which comes
 * from the statement if it opens that. Body and content are serialised once, to be measured, hashed and written.
 */
export function textOfStatement(said: StatementWithoutId, knownId?: string) {
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
  const about = said.about ?? certifiedId(at, `{${what}${hash}${author}${end}`)
  const begin = `{"about":${canonicalText(about)},${what}`
  // A statement that is made again with another time may have lost its content before.
  const value = contentText === undefined ? hash : `,"content":{"salt":${salt},"value":${contentText}}`
  const id = knownId ?? sha256(`${begin}${hash}${author}${end}`)
  const before = `${begin}${value},"id":"${id}"${author},"sig":"`
  return { about, id, excess: excessIn(bodyText, contentText), before, after: `"${end}` }
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
  texts.get(unsigned) ?? textOfStatement(unsigned, unsigned.id)
