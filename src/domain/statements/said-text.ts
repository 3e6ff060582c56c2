import { canonicalText } from '../../protocol/canonical.ts'
import { sha256 } from '../../protocol/sha256.ts'
import type { Unsigned } from './say.ts'
import { excessIn } from './statement.ts'

/** What this daemon says itself, as text: that of its body and content is made once, to be measured, hashed and written. */
export class SaidText {
  readonly excess: string | undefined
  readonly id: string
  /** The text of the statement up to its signature, and from there on. */
  readonly before: string
  readonly after: string

  constructor(said: Omit<Unsigned, 'id'>, knownId?: string) {
    const { about, at, body, content, key, kind, project_id, under } = said
    const bodyText = canonicalText(body)
    const contentText = content === undefined ? undefined : canonicalText(content.value)
    const salt = content === undefined ? undefined : canonicalText(content.salt)
    // The keys are in canonical order.
    const begin = `{"about":${canonicalText(about)},"at":${canonicalText(at)},"body":${bodyText}`
    const author = `,"key":${canonicalText(key)},"kind":${canonicalText(kind)},"project_id":${canonicalText(project_id)}`
    const end = under === undefined ? '}' : `,"under":${canonicalText(under)}}`
    const hash = contentText === undefined ? '' : `,"content_hash":"${sha256(`[${salt},${contentText}]`)}"`
    const value = contentText === undefined ? '' : `,"content":{"salt":${salt},"value":${contentText}}`

    this.excess = excessIn(bodyText, contentText)
    this.id = knownId ?? sha256(`${begin}${hash}${author}${end}`)
    this.before = `${begin}${value},"id":"${this.id}"${author},"sig":"`
    this.after = `"${end}`
  }
}

/** Of what was said and is not written yet. */
const texts = new WeakMap<Unsigned, SaidText>()

/** Gives it its id, and keeps its text until it is written. */
export function withText(said: Omit<Unsigned, 'id'>, text: SaidText): Unsigned {
  const unsigned = { ...said, id: text.id }
  texts.set(unsigned, text)
  return unsigned
}

export const saidTextOf = (unsigned: Unsigned): SaidText =>
  texts.get(unsigned) ?? new SaidText(unsigned, unsigned.id)
