import type { FeedRules } from './feed.ts'
import type { WaitRules } from './waits/waits.ts'

/** The limits and intervals of the services for agents. */
export interface SeatRules {
  readonly feed: FeedRules
  readonly waits: WaitRules
  /** How long an inbox item is taken for when the session does not say. */
  readonly takeMinutes: number
  /** How old an inbox item or a conflict may be before a person has to look at it. */
  readonly escalateMinutes: number
}

export const SEAT_RULES: SeatRules = {
  feed: { readersAtOnce: 200, recheckMillis: 15_000 },
  waits: { atOnce: 2000 },
  takeMinutes: 30,
  escalateMinutes: 60,
}
