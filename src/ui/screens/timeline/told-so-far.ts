import type { FeedEvent } from '../../../domain/feed/feed.ts'
import { newestFirst } from './fold.ts'
import type { Moment } from './moment.ts'
import { momentsOf } from './moments.ts'

/**
 * The moments of the entities that are loaded, the newest first. An entity tells its whole past, others may have done
 * something in that time that is not loaded yet: so nothing is told from before the oldest change that is loaded, until
 * all are.
 */
export function toldSoFar(events: readonly FeedEvent[], isAll: boolean): Moment[] {
  const moments = new Map<string, Moment>()
  for (const event of events) for (const moment of momentsOf(event)) keepFirst(moments, moment)
  const oldest = isAll ? undefined : events.at(-1)?.at
  return [...moments.values()].filter(({ at }) => oldest === undefined || at >= oldest).sort(newestFirst)
}

function keepFirst(moments: Map<string, Moment>, moment: Moment): void {
  if (!moments.has(moment.key)) moments.set(moment.key, moment)
}
