// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are ASCII too
const ASCII = /^[\x00-\x7f]*$/

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  if (ASCII.test(text)) return text.length
  let bytes = 0
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0
    bytes += utf8Size(point)
    at += point > 0xffff ? 2 : 1
  }
  return bytes
}

/** The number of bytes of one character, by its code point. */
export function utf8Size(point: number): number {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
