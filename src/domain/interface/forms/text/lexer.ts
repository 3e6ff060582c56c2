import { type Budget, WORK } from '../../budget.ts'

export interface Token {
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
export function lex(
  text: string,
  comments: 'slashes' | 'hash',
  budget: Budget,
): readonly Token[] | undefined {
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
