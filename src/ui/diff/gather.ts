/** What was gathered in the time that there was. */
export interface Gathered<Item> {
  readonly items: readonly Item[]
  readonly isCut: boolean
}

interface Pace {
  /** Milliseconds for all of it. */
  readonly budget: number
  /** Most items. */
  readonly most: number
  now(): number
  /** Lets the page do other things. */
  pause(): Promise<void>
  readonly isCancelled?: () => boolean
}

/** Milliseconds at a time; longer would be felt while typing or scrolling. */
const SLICE = 12

/** Takes all items of a long computation in short pieces, so that the page stays alive meanwhile. */
export async function gather<Item>(source: Iterable<Item>, pace: Pace): Promise<Gathered<Item>> {
  const items: Item[] = []
  const begun = pace.now()
  let slice = begun
  for (const item of source) {
    items.push(item)
    if (items.length % 64 !== 0) continue
    const now = pace.now()
    if (now - begun > pace.budget || items.length >= pace.most || pace.isCancelled?.())
      return { items, isCut: true }
    if (now - slice < SLICE) continue
    await pace.pause()
    slice = pace.now()
  }
  return { items, isCut: false }
}
