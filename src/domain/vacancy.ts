import type { Duty } from './inbox.ts'
import type { Project, Repo } from './model.ts'
import { activeClaim, repoStamp } from './repo.ts'

/** A repo that a project names and nobody holds is for whoever goes by its name to join. Holders: repos by agent. */
export function vacancyIn(
  project: Project,
  repo: Repo,
  holders: ReadonlyMap<string, string>,
): Duty | undefined {
  if (activeClaim(repo, project) !== undefined) return undefined
  const by = project.created_by
  return {
    kind: 'join_project',
    to: { only: repo.repo_id },
    since: repoStamp(repo),
    by: { repoId: holders.get(by) ?? by, agentId: by },
    basis: [repo.repo_id],
  }
}

/** Whoever gave a repo back is not asked to take it again. */
export const hasLeft = ({ claims }: Repo, agentId: string): boolean =>
  claims.some(({ agent_id, released_at }) => agent_id === agentId && released_at !== null)
