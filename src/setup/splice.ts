/** One change of a text, at a place in the text as it is by then. */
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

/** One after the other. */
export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices.reduce(
    (sofar, { at, removed, inserted }) => sofar.slice(0, at) + inserted + sofar.slice(at + removed.length),
    text,
  )

/** The text as it was before them. Undefined where one of them cannot have led here. */
export function undoSplices(text: string, splices: readonly Splice[]): string | undefined {
  let before = text
  for (const { at, removed, inserted } of splices.toReversed()) {
    if (!before.startsWith(inserted, at)) return undefined
    before = before.slice(0, at) + removed + before.slice(at + inserted.length)
  }
  return before
}
