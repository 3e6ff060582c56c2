import { type Statement, textOf } from '../../../domain/statements/statement.ts'
import { RecentCache } from '../../../protocol/collections/recent-cache.ts'

/** How many characters of text are kept at least, and at most twice. */
const KEPT_CHARS = 8 * 1024 * 1024

/** The texts of statements, as JSON strings; written once for all peers that get them at about the same time. */
export class StatementTexts {
  /** Statements are never changed in place, so a text is good for as long as its statement is kept. */
  readonly #texts = new RecentCache<Statement, string>(KEPT_CHARS)

  of(statement: Statement): string {
    const known = this.#texts.get(statement)
    if (known !== undefined) return known
    const text = JSON.stringify(textOf(statement))
    this.#texts.set(statement, text, text.length)
    return text
  }
}
