import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { View } from '../view.ts'

interface Author {
  readonly agent_id: string
  readonly reported_by?: string
  readonly revoked?: true
}

interface Authored {
  readonly by: Author
}

interface ContractReport {
  readonly head: Authored
  readonly history: readonly Authored[]
  readonly conflicts: readonly Authored[]
  readonly responses: readonly Authored[]
  readonly implementations: readonly Authored[]
  readonly past_implementations: readonly Authored[]
  readonly verifications: readonly Authored[]
}

/** Marks what agents wrote that are revoked here: their statements stay, but readers see the mark. */
export function revokedMarker(view: View): <One extends Authored>(one: One) => One {
  const known = new Map<string, boolean>()
  const isRevoked = (agentId: string): boolean =>
    getOrAdd(known, agentId, () => view.peers.get(agentId)?.trust === 'revoked')
  return (one) =>
    isRevoked(one.by.agent_id) || (one.by.reported_by !== undefined && isRevoked(one.by.reported_by))
      ? { ...one, by: { ...one.by, revoked: true } }
      : one
}

export function markRevoked<Report extends ContractReport>(view: View, report: Report): Report {
  const mark = revokedMarker(view)
  return {
    ...report,
    head: mark(report.head),
    history: report.history.map(mark),
    conflicts: report.conflicts.map(mark),
    responses: report.responses.map(mark),
    implementations: report.implementations.map(mark),
    past_implementations: report.past_implementations.map(mark),
    verifications: report.verifications.map(mark),
  }
}
