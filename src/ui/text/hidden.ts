import { HIDDEN } from '../../domain/names/quoted.ts'

/** A piece of text as it is, or one character that would not be seen. */
export type Piece = { readonly text: string } | { readonly hidden: string; readonly name: string }

/** Characters whose effect a reader should know of. */
const NAMES: Readonly<Record<string, string>> = {
  '00': 'null',
  '1B': 'escape',
  '0A': 'line break',
  '0D': 'carriage return',
  '09': 'tab',
  '00AD': 'soft hyphen',
  '200B': 'zero-width space',
  '200C': 'zero-width non-joiner',
  '200D': 'zero-width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'end of direction',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first-strong isolate',
  '2069': 'end of isolate',
  FEFF: 'zero-width no-break space',
}

/** Cuts text into what can be seen and what cannot, so that nothing in it deceives who reads it. */
export function pieces(given: string): readonly Piece[] {
  const text = given.toWellFormed()
  const found: Piece[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > end) found.push({ text: text.slice(end, index) })
    found.push(hiddenOf(character))
    end = index + character.length
  }
  if (end < text.length) found.push({ text: text.slice(end) })
  return found
}

function hiddenOf(character: string): Piece {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return {
    hidden: `U+${code.padStart(4, '0')}`,
    name: NAMES[code.padStart(2, '0')] ?? NAMES[code.padStart(4, '0')] ?? 'invisible character',
  }
}

/** As plain text, for what can show nothing else: what would not be seen is told in brackets. */
export const visibleText = (text: string): string =>
  pieces(text)
    .map((piece) => ('text' in piece ? piece.text : `[${piece.hidden}]`))
    .join('')
