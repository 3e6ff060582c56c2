export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'sign'
  readonly text: string
}

const TOKEN =
  /\s*(?:([A-Za-z_$][\w$-]*(?:\.[\w$-]+)*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|([[\]{}()<>|?,:;]))/y

/** The pieces of a text in type words; undefined where something in it is none. */
export function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text)
    if (match === null) return undefined
    const [, word, single, double, number, sign] = match
    if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'text', text: (single ?? double ?? '').replaceAll(/\\(.)/g, '$1') })
  }
  return tokens
}
