/** Parts of at most this many characters that make up the text; none ends between the two halves of a character. */
export function* partsOf(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length)
    const isBetweenHalves = end < text.length && isHighSurrogate(text.charCodeAt(end - 1))
    const stop = isBetweenHalves && end - 1 > start ? end - 1 : end
    yield text.slice(start, stop)
    start = stop
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
