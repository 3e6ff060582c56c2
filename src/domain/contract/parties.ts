import { Fault } from '../../protocol/fault.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { repoNamed } from '../lookup.ts'
import { noRepo } from '../project/joining-advice.ts'
import type { ProjectView } from '../view.ts'
import type { RevisionEntity } from '../views/entities.ts'

/** The ids of the repos of these names. */
export function partiesNamed(
  found: ProjectView,
  names: readonly string[],
  field: 'parties' | 'addParties' = 'parties',
): string[] {
  return [...new Set(names)].map((name) => {
    const repo = repoNamed(found, name)
    if (repo !== undefined) return repo.repo_id
    throw noRepo(found, name, { field })
  })
}

/** If none are named: every claimed repo, or all while only the author's is claimed, since the others are to join. */
export function usualParties({ repos }: ProjectView, author: string): string[] {
  const all = [...repos.oldestFirst()]
  const claimed = all.filter(({ holder }) => holder !== undefined)
  const isAlone = claimed.every(({ repo_id }) => repo_id === author)
  const parties = (isAlone ? all : claimed).map(({ repo_id }) => repo_id).sort(compareText)
  if (parties.length <= LIMITS.repos) return parties
  throw new Fault('invalid_params', `parties required: the project has more than ${LIMITS.repos} repos`, {
    next: 'Name the repos that have to agree and to implement it',
    data: { field: 'parties' },
  })
}

/** Who has a say in a version: the repo that wrote it, and those that have to agree to it. */
export const reposOf = ({ repo_id, needed }: RevisionEntity): readonly string[] =>
  needed.includes(repo_id) ? needed : [repo_id, ...needed]

/** The names of the repos that another version adds as parties, and of those that it removes. */
export function partiesBetween(
  before: RevisionEntity,
  after: RevisionEntity,
  repoName: (repoId: string) => string,
) {
  const only = (these: RevisionEntity, those: RevisionEntity) =>
    these.parties
      .filter((id) => !those.parties.includes(id))
      .map(repoName)
      .sort(compareText)
  return { added: only(after, before), removed: only(before, after) }
}
