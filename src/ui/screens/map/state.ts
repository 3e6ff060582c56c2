/** How the contracts between two repositories stand. */

/** From the worst to the best: what stalls counts more than what only takes its time. */
export const STATES = ['conflict', 'negotiating', 'proposed', 'agreed', 'implemented', 'verified'] as const
export type State = (typeof STATES)[number]

/** How many contracts are in each state. */
export type Counts = Readonly<Record<State, number>>

export const NO_CONTRACTS: Counts = {
  conflict: 0,
  negotiating: 0,
  proposed: 0,
  agreed: 0,
  implemented: 0,
  verified: 0,
}

export const add = (one: Counts, other: Counts): Counts => ({
  conflict: one.conflict + other.conflict,
  negotiating: one.negotiating + other.negotiating,
  proposed: one.proposed + other.proposed,
  agreed: one.agreed + other.agreed,
  implemented: one.implemented + other.implemented,
  verified: one.verified + other.verified,
})

export const total = (counts: Counts): number => STATES.reduce((sum, state) => sum + counts[state], 0)

/** The worst state that any of them is in; undefined where there are none. */
export const worstOf = (counts: Counts): State | undefined => STATES.find((state) => counts[state] > 0)

/** `2 in conflict, 5 agreed` */
export const describeCounts = (counts: Counts): string =>
  STATES.flatMap((state) =>
    counts[state] === 0 ? [] : [`${counts[state]} ${state === 'conflict' ? 'in conflict' : state}`],
  ).join(', ')

/** How thick a line is: one for a single contract, and never so thick that it hides others. */
export const thickness = (contracts: number): number =>
  Math.min(8, 1.5 + 1.5 * Math.log2(Math.max(1, contracts)))
