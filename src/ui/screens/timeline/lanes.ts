import type { Moment } from './moment.ts'

/** The lanes of the timeline: one for each repository that did something, as long as they can be told apart. */
export interface Lanes {
  /** The names of repositories, from left to right. */
  readonly names: readonly string[]
  /** Whether a last lane is there for all others. */
  readonly hasOthers: boolean
}

export const MOST_LANES = 7

/** The name of the repository that did it; undefined where none did. One that is in several projects has one name. */
export type NameOf = (moment: Moment) => string | undefined

/** The own repository first, then those that did most; the same moments give the same lanes. */
export function lanesOf(moments: readonly Moment[], nameOf: NameOf, own: string | undefined): Lanes {
  const counts = new Map<string, number>()
  let isOthers = false
  for (const moment of moments) {
    const name = nameOf(moment)
    if (name === undefined) isOthers = true
    else counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const order = [...counts].sort(
    ([a, many], [b, few]) => Number(b === own) - Number(a === own) || few - many || (a < b ? -1 : 1),
  )
  const names = order.slice(0, MOST_LANES).map(([name]) => name)
  return { names, hasOthers: isOthers || order.length > names.length }
}

/** In which lane a repository stands, from 0. */
export function laneOf(name: string | undefined, { names }: Lanes): number {
  const lane = name === undefined ? -1 : names.indexOf(name)
  return lane < 0 ? names.length : lane
}
