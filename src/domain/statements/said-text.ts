import { canonicalText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import { certifiedId } from './certified-id.ts'
import type { Unsigned } from './say.ts'
import { excessIn } from './statement.ts'

/** What is said and has no id yet. Without `about` it opens something. */
export type Untold = Omit<Unsigned, 'id' | 'about'> & { readonly about?: string }

/** What this daemon says itself, as text: that of its body and content is made once, to be measured, hashed and written. */
export class SaidText {
  readonly excess: string | undefined
  /** What it opens gets its id from it. */
  readonly about: string
  readonly id: string
  /** The text of the statement up to its signature, and from there on. */
  readonly before: string
  readonly after: string

  constructor(said: Untold, knownId?: string) {
    const { at, body, content, content_hash, key, kind, project_id, under } = said
    const bodyText = canonicalText(body)
    const contentText = content === undefined ? undefined : canonicalText(content.value)
    const salt = content === undefined ? undefined : canonicalText(content.salt)
    // The keys are in canonical order.
    const what = `"at":${canonicalText(at)},"body":${bodyText}`
    const author = `,"key":${canonicalText(key)},"kind":${canonicalText(kind)},"project_id":${canonicalText(project_id)}`
    const end = under === undefined ? '}' : `,"under":${canonicalText(under)}}`
    const contentHash = contentText === undefined ? content_hash : sha256(`[${salt},${contentText}]`)
    const hash = contentHash === undefined ? '' : `,"content_hash":"${contentHash}"`
    this.about = said.about ?? certifiedId(at, `{${what}${hash}${author}${end}`)
    const begin = `{"about":${canonicalText(this.about)},${what}`
    // What is said again may have lost its content before.
    const value = contentText === undefined ? hash : `,"content":{"salt":${salt},"value":${contentText}}`

    this.excess = excessIn(bodyText, contentText)
    this.id = knownId ?? sha256(`${begin}${hash}${author}${end}`)
    this.before = `${begin}${value},"id":"${this.id}"${author},"sig":"`
    this.after = `"${end}`
  }
}

/** Of what was said and is not written yet. */
const texts = new WeakMap<Unsigned, SaidText>()

/** Gives it its id, and keeps its text until it is written. */
export function withText(said: Untold, text: SaidText): Unsigned {
  const unsigned = { ...said, about: text.about, id: text.id }
  texts.set(unsigned, text)
  return unsigned
}

export const saidTextOf = (unsigned: Unsigned): SaidText =>
  texts.get(unsigned) ?? new SaidText(unsigned, unsigned.id)
