import { lasting } from '../../text/figures.ts'
import type { Moment } from './moment.ts'

/** The rows of the timeline, the newest on top. Time in which nothing happened takes one row, however long it was. */
export type Row =
  | { readonly is: 'moment'; readonly key: string; readonly moment: Moment }
  | { readonly is: 'gap'; readonly key: string; readonly text: string }
  | { readonly is: 'day'; readonly key: string; readonly at: number }
  | { readonly is: 'looked'; readonly key: string; readonly newer: number }

export interface Folding {
  readonly now: number
  /** The newest moment that the person had seen when looking last; undefined: never looked. */
  readonly lookedAt: string | undefined
  /** A name of the day of a time, in the time zone of who reads. */
  dayOf(millis: number): string
}

const MINUTE = 60_000
/** Less is no gap. */
export const SHORTEST_GAP = 30 * MINUTE

/** Newest first; what has the same time, by its key, so that the order never changes. */
export const newestFirst = (a: Moment, b: Moment): number =>
  a.at === b.at ? (a.key < b.key ? 1 : -1) : a.at < b.at ? 1 : -1

/** The rows of moments that are sorted. */
export function foldTimeline(moments: readonly Moment[], { now, lookedAt, dayOf }: Folding): Row[] {
  const rows: Row[] = []
  let above = now
  let day: string | undefined
  const newer = lookedAt === undefined ? 0 : moments.filter(({ at }) => at > lookedAt).length
  for (const [index, moment] of moments.entries()) {
    const at = Date.parse(moment.at)
    if (index === newer && newer > 0) rows.push({ is: 'looked', key: 'looked', newer })
    if (above - at >= SHORTEST_GAP)
      rows.push({ is: 'gap', key: `gap ${moment.key}`, text: `${lasting((above - at) / 1000)} nothing` })
    const its = dayOf(at)
    if (its !== day) rows.push({ is: 'day', key: `day ${its} ${moment.key}`, at })
    rows.push({ is: 'moment', key: moment.key, moment })
    // A moment that is dated after now, or after the one above it, makes no gap.
    above = Math.min(above, at)
    day = its
  }
  if (newer > 0 && newer === moments.length) rows.push({ is: 'looked', key: 'looked', newer })
  return rows
}
