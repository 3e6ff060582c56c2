import type { Duty } from '../inbox/inbox.ts'
import type { ProjectEntity, RepoEntity } from '../views/entities.ts'

/** A repo that a project names and nobody holds is for whoever goes by its name to join. Holders: repos by agent. */
export function vacancyIn(
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

/** Whoever gave a repo back, or lost it by a settlement, is not asked to take it again. */
export const hasLeft = ({ claims }: RepoEntity, agentId: string): boolean =>
  claims.some(
    ({ agent_id, released_at, standing }) =>
      agent_id === agentId && (released_at !== undefined || standing === 'settled'),
  )
