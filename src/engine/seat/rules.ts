import type { FeedRules } from './feed.ts'
import type { WaitRules } from './waits/waits.ts'

/** The bounds and intervals of what agents are told. */
export interface SeatRules {
  readonly feed: FeedRules
  readonly waits: WaitRules
  /** How long an item of the inbox is somebody's who does not say. */
  readonly takeMinutes: number
}

export const SEAT_RULES: SeatRules = {
  feed: { readersAtOnce: 200, lookMillis: 15_000 },
  waits: { atOnce: 2000 },
  takeMinutes: 30,
}
