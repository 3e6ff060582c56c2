import type { ContractTally } from './service.ts'

export const NO_CONTRACTS = { proposed: 0, negotiating: 0, agreed: 0, implemented: 0, verified: 0 }

/** How many contracts there are of each status, and how many have versions that contradict each other. */
export function countTallies(tallies: Iterable<ContractTally>) {
  const byStatus = { ...NO_CONTRACTS }
  let conflicts = 0
  for (const { status, count, isWithdrawn, hasConflict } of tallies) {
    if (isWithdrawn) continue
    byStatus[status] += count
    if (hasConflict) conflicts += count
  }
  return { byStatus, conflicts }
}
