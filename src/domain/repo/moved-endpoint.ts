import type { Env } from '../env.ts'
import type { Speaking, Unsigned } from '../statements/say.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { isSignedHere } from './acting-for.ts'
import { describeOwn } from './repo.ts'

/** Describes a repo with a new endpoint and otherwise unchanged. */
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

/** New descriptions for the repos of this daemon's agents after its endpoint changed. */
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
      // An agent that gave another endpoint did not move with the daemon.
      if (holder !== undefined && endpoint === before && isSignedHere(holder, self))
        says.push(moveRepo(found, repo, { holder, endpoint: self.endpoint }, env))
    }
  }
  return says
}
