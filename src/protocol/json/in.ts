/** What a text says in JSON; undefined when it is none, which JSON itself cannot say. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
