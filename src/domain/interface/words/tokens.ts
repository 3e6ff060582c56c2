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
    if (match[1] !== undefined) tokens.push({ kind: 'word', text: match[1] })
    else if (match[5] !== undefined) tokens.push({ kind: 'sign', text: match[5] })
    else if (match[4] !== undefined) tokens.push({ kind: 'number', text: match[4] })
    else tokens.push({ kind: 'text', text: (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1') })
  }
  return tokens
}
