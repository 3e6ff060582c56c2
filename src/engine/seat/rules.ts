import type { FeedRules } from './feed.ts'

/** The bounds and intervals of what agents are told. */
export interface SeatRules {
  readonly feed: FeedRules
}

export const SEAT_RULES: SeatRules = {
  feed: { readersAtOnce: 200, lookMillis: 15_000 },
}
