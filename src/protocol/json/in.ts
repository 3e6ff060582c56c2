/** The parsed JSON of a text; undefined, which no JSON can be, if the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
