/** One change of a text; the position refers to the text after the changes before it. */
export interface Splice {
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

export const insertion = (at: number, inserted: string): Splice => ({ at, removed: '', inserted })

export const removal = (text: string, from: number, to: number): Splice => ({
  at: from,
  removed: text.slice(from, to),
  inserted: '',
})

export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices.reduce(
    (sofar, { at, removed, inserted }) => sofar.slice(0, at) + inserted + sofar.slice(at + removed.length),
    text,
  )

/** The text before these changes. Undefined where one of them cannot have led to this text. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let before = text
  for (const { at, removed, inserted } of splices.toReversed()) {
    if (!before.startsWith(inserted, at)) return undefined
    before = before.slice(0, at) + removed + before.slice(at + inserted.length)
  }
  return before
}
