import type { Env } from '../env.ts'
import type { Unsigned } from '../statements/say.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { isOfHome } from './acting-for.ts'
import { describeOwn } from './repo.ts'

type Speaking = Pick<Env, 'now' | 'newNonce'>

/** Whoever holds a repo says where it is now; all else that the repo says of itself stays. */
export function moveRepo(
  found: ProjectView,
  repo: RepoEntity,
  { holder: { speaks_by: by }, endpoint }: { holder: ClaimEntity; endpoint: string },
  env: Speaking,
): Unsigned {
  const { role, language, relevant_paths, url, name, shown_name } = repo
  const renamed = shown_name === name ? {} : { shown_name }
  const said = { role, language, relevant_paths, url, endpoint, ...renamed }
  return describeOwn(found, { about: repo.repo_id, at: by.since, by }, said, env)
}

/** What a daemon says that listens elsewhere than before, of the repos of its agents that were to be found there. */
export function moveFrom(
  { projects }: View,
  before: string,
  { self, ...env }: Speaking & Pick<Env, 'self'>,
): Unsigned[] {
  const says: Unsigned[] = []
  for (const found of projects.oldestFirst()) {
    if (found.project.archived) continue
    for (const repo of found.repos.oldestFirst()) {
      const { holder, endpoint } = repo
      // An agent that said that it is somewhere else did not move with the daemon.
      if (holder !== undefined && endpoint === before && isOfHome(holder, self))
        says.push(moveRepo(found, repo, { holder, endpoint: self.endpoint }, env))
    }
  }
  return says
}
