export type SeatRules = Readonly<typeof SEAT_RULES>

/** The limits and intervals of the services for agents. Callers without the operator key get half of the places. */
export const SEAT_RULES = {
  feed: {
    /** How many readers may follow at the same time. */
    readersAtOnce: 200,
    /** How often a reader that gets no changes is checked: it may have lost its access. */
    recheckMillis: 15_000,
  },
  /** How many callers may wait at the same time. */
  waitsAtOnce: 2000,
  /** How long an inbox item is taken for when the session does not say. */
  takeMinutes: 30,
  /** How old an inbox item or a conflict may be before a person has to look at it. */
  escalateMinutes: 60,
}
