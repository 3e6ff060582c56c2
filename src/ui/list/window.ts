/** The rows of a long list that are worth having in the page: those in view, and some around them. */
export interface RowWindow {
  readonly first: number
  /** One after the last. */
  readonly end: number
  /** Pixels of the rows before and after, which keep the place of what is not there. */
  readonly before: number
  readonly after: number
}

interface Seen {
  readonly count: number
  readonly rowHeight: number
  /** How far the top of the list is above the top of the view; negative while it is below. */
  readonly above: number
  readonly viewHeight: number
}

/** Rows kept around those in view, so that scrolling shows no gaps. */
const AROUND = 12
/** It moves by so many rows at once, so that not every row that is scrolled is work. */
const STEP = 8
/** A list up to this length is whole in the page. */
const SHORT = 80

export function windowOf({ count, rowHeight, above, viewHeight }: Seen): RowWindow {
  if (count <= SHORT || rowHeight <= 0) return { first: 0, end: count, before: 0, after: 0 }
  const held = Math.ceil(viewHeight / rowHeight) + 2 * AROUND + STEP
  const wanted = Math.floor(above / rowHeight / STEP) * STEP - AROUND
  const first = Math.min(Math.max(0, wanted), Math.max(0, count - held))
  const end = Math.min(count, first + held)
  return { first, end, before: first * rowHeight, after: (count - end) * rowHeight }
}
