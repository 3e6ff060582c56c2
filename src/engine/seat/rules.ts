/** The limits and intervals of the services for agents. Callers without the operator key get half of the places. */
export interface SeatRules {
  readonly feed: {
    /** How many readers may follow at the same time. */
    readonly readersAtOnce: number
    /** How often a reader that gets no changes is checked: it may have lost its access. */
    readonly recheckMillis: number
  }
  /** How many callers may wait at the same time. */
  readonly waitsAtOnce: number
  /** How long an inbox item is taken for when the session does not say. */
  readonly takeMinutes: number
  /** How old an inbox item or a conflict may be before a person has to look at it. */
  readonly escalateMinutes: number
}

export const SEAT_RULES: SeatRules = {
  feed: { readersAtOnce: 200, recheckMillis: 15_000 },
  waitsAtOnce: 2000,
  takeMinutes: 30,
  escalateMinutes: 60,
}
