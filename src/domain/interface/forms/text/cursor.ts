import { type Budget, WORK } from '../../budget.ts'

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

interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign'
  /** Of a text what is between its quotes. */
  readonly text: string
}

/** Larger texts are not read. */
const LONGEST = 300_000

const BLANK = { slashes: /[\s\ufeff]+/y, hash: /[\s,\ufeff]+/y }
const REST_OF_LINE = /[^\n]*/y
const TEXT = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/y
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /-?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy
const SIGN = /\.\.\.|=>|[^\s\w]/y

/** The pieces of a text in some language; undefined where it is too long or a piece has no end. */
function lex(text: string, comments: 'slashes' | 'hash', budget: Budget): readonly Token[] | undefined {
  if (text.length > LONGEST) return undefined
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at += found[0].length
    return found
  }
  for (;;) {
    match(BLANK[comments])
    if (at >= text.length) return tokens
    budget.spend(WORK.token)
    if (text.startsWith(comments === 'hash' ? '#' : '//', at)) {
      match(REST_OF_LINE)
      continue
    }
    const fence = comments === 'hash' ? '"""' : '/*'
    if (text.startsWith(fence, at)) {
      const end = text.indexOf(comments === 'hash' ? '"""' : '*/', at + fence.length)
      if (end === -1) return undefined
      if (comments === 'hash') tokens.push({ kind: 'text', text: text.slice(at + 3, end) })
      at = end + fence.length
      continue
    }
    const name = match(NAME)
    if (name !== null) tokens.push({ kind: 'name', text: name[0] })
    else {
      const quoted = match(TEXT)
      const number = quoted === null ? match(NUMBER) : null
      const sign = quoted === null && number === null ? match(SIGN) : null
      if (quoted !== null) tokens.push({ kind: 'text', text: quoted[1] ?? quoted[2] ?? '' })
      else if (number !== null) tokens.push({ kind: 'number', text: number[0] })
      else if (sign !== null && !/["'`]/.test(sign[0])) tokens.push({ kind: 'sign', text: sign[0] })
      else return undefined
    }
  }
}
