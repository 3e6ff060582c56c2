import type { Budget } from '../../budget.ts'
import { lex, type Token } from './lexer.ts'

/** Thrown where a text is not what it should be; caught where its reading began. */
export class NotReadable extends Error {}

const DEEPEST = 60

/** Where a parser stands in its tokens: what every parser begins with. */
export class Cursor {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(text: string, comments: 'slashes' | 'hash', budget: Budget) {
    const tokens = lex(text, comments, budget)
    if (tokens === undefined) throw new NotReadable('it cannot be taken apart')
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  next(): Token {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new NotReadable('it ends too early')
    return token
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token !== undefined && token.kind !== 'text' && token.text === text
  }

  take(text: string): boolean {
    const isNext = this.is(text)
    if (isNext) this.#at++
    return isNext
  }

  expect(text: string): void {
    if (!this.take(text))
      throw new NotReadable(`«${this.peek()?.text ?? 'the end'}» where «${text}» should be`)
  }

  name(): string {
    const token = this.next()
    if (token.kind !== 'name') throw new NotReadable(`«${token.text}» where a name should be`)
    return token.text
  }

  /** Where it stands, to come back to or to quote from. */
  get place(): number {
    return this.#at
  }

  goBack(place: number): void {
    this.#at = place
  }

  textFrom(place: number): string {
    return this.#tokens
      .slice(place, this.#at)
      .map(({ kind, text }) => (kind === 'text' ? JSON.stringify(text) : text))
      .join(' ')
  }

  /** Reads something that may contain itself. */
  nested<Read>(read: () => Read): Read {
    if (++this.#depth > DEEPEST) throw new NotReadable('it is nested too deep')
    const found = read()
    this.#depth--
    return found
  }

  /** Everything up to the bracket that closes the one that comes next. */
  skipBrackets(): void {
    const closing: string[] = []
    do {
      const { kind, text } = this.next()
      if (kind !== 'sign') continue
      const close = CLOSING[text]
      if (close !== undefined) closing.push(close)
      else if (text === closing.at(-1)) closing.pop()
    } while (closing.length > 0)
  }
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
