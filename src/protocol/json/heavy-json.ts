/** A text up to this length is parsed quickly, whatever it contains. */
const LIGHT_LENGTH = 256 * 1024

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map(
  (sign) => sign.charCodeAt(0),
)

/**
 * Whether JSON.parse would create more values, or deeper ones, from a text than this. A text that is sent in a moment
 * can take minutes to parse: in a list of empty lists every third byte is a value.
 */
export function isHeavyJson(text: string, most: { values: number; depth: number }): boolean {
  if (text.length <= LIGHT_LENGTH) return false
  let values = 1
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const sign = text.charCodeAt(index)
    if (sign === QUOTE) index = endOfString(text, index)
    else if (sign === COMMA) values++
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      values++
      depth++
    }
    if (values > most.values || depth > most.depth) return true
  }
  return false
}

/** The index of the quote that ends the string starting here; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1))
    if (!isEscaped(text, end)) return end
  return text.length
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}
