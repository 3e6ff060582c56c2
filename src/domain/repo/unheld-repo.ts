import type { Duty } from '../inbox/inbox.ts'
import type { ProjectEntity, RepoEntity } from '../views/entities.ts'

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
