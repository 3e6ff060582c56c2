import type { Duty } from './inbox.ts'
import type { Claim, Project, Repo } from './model.ts'
import { standingClaims } from './repo.ts'

/** Two agents claimed one repo before they heard of each other: the earlier claim holds, the other one is lost. */
export interface LostClaim {
  readonly lost: Claim
  readonly holder: Claim
}

/** The first one of every agent that does not hold the repo: two peers may have dated the same claim differently. */
export function lostClaims(repo: Repo, project: Project): Map<string, LostClaim> {
  const [holder, ...others] = standingClaims(repo, project)
  const found = new Map<string, LostClaim>()
  if (holder === undefined) return found
  for (const lost of others)
    if (lost.agent_id !== holder.agent_id && !found.has(lost.agent_id))
      found.set(lost.agent_id, { lost, holder })
  return found
}

/** Whoever only reads learns of it too. */
export function dutyOfLoser({ repo_id }: Repo, { lost, holder }: LostClaim): Duty {
  return {
    kind: 'claim_lost',
    to: { only: repo_id },
    since: lost.claimed_at,
    by: { repoId: repo_id, agentId: holder.agent_id },
    basis: [repo_id, holder.agent_id, holder.claimed_at],
  }
}

/** Since when the other agent holds what was claimed. */
export const heldSince = ({ basis }: Duty): string => basis.at(-1) ?? ''
