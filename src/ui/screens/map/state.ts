import { figure } from '../../text/figures.ts'
import { STATUSES, type Status } from '../../text/words.ts'

/** How the contracts between two repositories stand. */
export interface Standing {
  readonly byStatus: Readonly<Record<Status, number>>
  /** How many of them have versions that contradict each other. */
  readonly conflicts: number
}

/** From the worst to the best: what stalls counts more than what only takes its time. */
export const STATES = ['conflict', 'negotiating', 'proposed', 'agreed', 'implemented', 'verified'] as const
export type State = (typeof STATES)[number]

export const NO_CONTRACTS: Standing = {
  byStatus: { proposed: 0, negotiating: 0, agreed: 0, implemented: 0, verified: 0 },
  conflicts: 0,
}

export const add = (one: Standing, other: Standing): Standing => ({
  byStatus: {
    proposed: one.byStatus.proposed + other.byStatus.proposed,
    negotiating: one.byStatus.negotiating + other.byStatus.negotiating,
    agreed: one.byStatus.agreed + other.byStatus.agreed,
    implemented: one.byStatus.implemented + other.byStatus.implemented,
    verified: one.byStatus.verified + other.byStatus.verified,
  },
  conflicts: one.conflicts + other.conflicts,
})

export const total = ({ byStatus }: Standing): number =>
  STATUSES.reduce((sum, status) => sum + byStatus[status], 0)

/** The worst state that any of them is in. */
export function worstOf({ byStatus, conflicts }: Standing): State {
  if (conflicts > 0) return 'conflict'
  return STATES.find((state) => state !== 'conflict' && byStatus[state] > 0) ?? 'verified'
}

/** `7 contracts: 2 in conflict; 3 negotiating, 4 agreed` */
export function describeStanding(standing: Standing): string {
  const count = total(standing)
  return `${figure(count)} ${count === 1 ? 'contract' : 'contracts'}: ${describeStatuses(standing)}`
}

/** The same without how many they are. */
export function describeStatuses({ byStatus, conflicts }: Standing): string {
  const statuses = STATUSES.flatMap((status) =>
    byStatus[status] === 0 ? [] : [`${figure(byStatus[status])} ${status}`],
  )
  return `${conflicts === 0 ? '' : `${figure(conflicts)} in conflict; `}${statuses.join(', ')}`
}

/** How thick a line is: thin for a single contract, and never so thick that it hides others. */
export const thickness = (contracts: number): number =>
  Math.min(8, 1.5 + 1.5 * Math.log2(Math.max(1, contracts)))
