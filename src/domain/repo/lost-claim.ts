import type { Duty } from '../inbox/inbox.ts'
import type { ClaimEntity, ProjectEntity, RepoEntity } from '../views/entities.ts'

/** A claim that does not count because another one takes precedence, or because a settlement ended it. */
export interface LostClaim {
  readonly lost: ClaimEntity
  /** Undefined when a settlement gave the repo to nobody. */
  readonly holder: ClaimEntity | undefined
}

/** One for every key that does not hold the repo and has not released it: two daemons may use the same name. */
export function lostClaims({ holder, claims }: RepoEntity): LostClaim[] {
  const found = new Map<string, LostClaim>()
  for (const lost of claims) {
    const { key } = lost.speaks_by
    if (isLost(lost) && key !== holder?.speaks_by.key && !found.has(key)) found.set(key, { lost, holder })
  }
  return [...found.values()]
}

export const isLost = ({ standing, released_at }: ClaimEntity): boolean =>
  released_at === undefined && (standing === 'outranked' || standing === 'settled')

/** The inbox item that informs the losing agent. */
export function lostClaimDuty({ repo_id }: RepoEntity, { lost, holder }: LostClaim): Duty {
  return {
    kind: 'claim_lost',
    to: { only: repo_id },
    since: lost.claimed_at,
    by: { repoId: repo_id, agentId: holder?.agent_id ?? null },
    basis: [repo_id, lost.standing, lost.claim_id, holder?.agent_id ?? '', holder?.claimed_at ?? ''],
  }
}

/** When the present holder claimed the repo. */
export const holderClaimedAt = ({ basis }: Duty): string => basis.at(-1) ?? ''

/** The id of the lost claim, with which a settlement can give the repo back. */
export const lostClaimIdOf = ({ basis }: Duty): string => basis[2] ?? ''

/** Whether a settlement decided it. */
export const isSettled = ({ basis }: Duty): boolean => basis[1] === 'settled'

/**
 * Several agents claim a repo and the founder has confirmed none of them: the holder, who only has the earliest
 * claim, may still lose it. Undefined if nobody else claims it.
 */
export function rivalClaimsDuty({ repo_id, holder, claims }: RepoEntity, { created_by }: ProjectEntity) {
  if (holder === undefined || holder.is_confirmed) return undefined
  const rivals = claims.filter(
    ({ standing, released_at, speaks_by }) =>
      standing === 'outranked' && released_at === undefined && speaks_by.key !== holder.speaks_by.key,
  )
  const [first] = rivals
  if (first === undefined) return undefined
  const duty: Duty = {
    kind: 'settle_claims',
    to: { only: repo_id },
    since: first.claimed_at,
    by: { repoId: repo_id, agentId: first.agent_id },
    basis: [holder.agent_id, holder.claimed_at, holder.claim_id, ...rivals.map(({ claim_id }) => claim_id)],
  }
  return { toAgents: [...new Set([created_by, holder.agent_id])], duty }
}

/** The present holder of a repo that others claim too, and the time of its claim. */
export const holderIn = ({ basis: [agentId = '', since = ''] }: Duty) => ({ agentId, since })

/** The duty to join a project for the agent of a repo named there that nobody holds. `holders`: repo by agent. */
export function unheldRepoDuty(
  { created_by: by }: ProjectEntity,
  repo: RepoEntity,
  holders: ReadonlyMap<string, string>,
): Duty | undefined {
  if (repo.holder !== undefined) return undefined
  return {
    kind: 'join_project',
    to: { only: repo.repo_id },
    since: repo.updated_at,
    by: { repoId: holders.get(by) ?? by, agentId: by },
    basis: [repo.repo_id],
  }
}

/** An agent that released a repo, or lost it by a settlement, is not asked to join as that repo again. */
export const hasLeft = ({ claims }: RepoEntity, agentId: string): boolean =>
  claims.some(
    ({ agent_id, released_at, standing }) =>
      agent_id === agentId && (released_at !== undefined || standing === 'settled'),
  )
