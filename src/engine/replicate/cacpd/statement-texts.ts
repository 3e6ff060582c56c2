import { type Statement, textOf } from '../../../domain/statements/statement.ts'

/** How many characters of text are kept at least, and at most twice. */
const KEPT_CHARS = 8 * 1024 * 1024

/**
 * The texts of statements, as JSON strings; written once for all peers that get them at about the same time. Kept in two
 * generations, of which the older one is dropped when the newer one is full.
 */
export class StatementTexts {
  /** Statements are never changed in place, so a text is good for as long as its statement is kept. */
  #recent = new Map<Statement, string>()
  #earlier = this.#recent
  #room = KEPT_CHARS

  of(statement: Statement): string {
    const known = this.#recent.get(statement)
    if (known !== undefined) return known
    const text = this.#earlier.get(statement) ?? JSON.stringify(textOf(statement))
    if (text.length > this.#room) {
      this.#earlier = this.#recent
      this.#recent = new Map()
      this.#room = KEPT_CHARS
    }
    this.#recent.set(statement, text)
    this.#room -= text.length
    return text
  }
}
