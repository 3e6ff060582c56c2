import type { View } from '../view.ts'

interface Author {
  readonly agent_id: string
  readonly reported_by?: string
  readonly revoked?: true
}

interface Said {
  readonly by: Author
}

interface SaidOfContract {
  readonly head: Said
  readonly history: readonly Said[]
  readonly conflicts: readonly Said[]
  readonly responses: readonly Said[]
  readonly implementations: readonly Said[]
  readonly past_implementations: readonly Said[]
  readonly verifications: readonly Said[]
}

/** The words of agents that were revoked here stay what they are, for they were said; but whoever reads them is told. */
export function revokedMarker(view: View): <One extends Said>(one: One) => One {
  const known = new Map<string, boolean>()
  const isRevoked = (agentId: string): boolean => {
    const found = known.get(agentId) ?? view.peers.get(agentId)?.trust === 'revoked'
    known.set(agentId, found)
    return found
  }
  return (one) =>
    isRevoked(one.by.agent_id) || (one.by.reported_by !== undefined && isRevoked(one.by.reported_by))
      ? { ...one, by: { ...one.by, revoked: true } }
      : one
}

export function markRevoked<Shown extends SaidOfContract>(view: View, shown: Shown): Shown {
  const mark = revokedMarker(view)
  return {
    ...shown,
    head: mark(shown.head),
    history: shown.history.map(mark),
    conflicts: shown.conflicts.map(mark),
    responses: shown.responses.map(mark),
    implementations: shown.implementations.map(mark),
    past_implementations: shown.past_implementations.map(mark),
    verifications: shown.verifications.map(mark),
  }
}
