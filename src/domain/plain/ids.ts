import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import type { View } from '../view.ts'
import type { GivenContract, GivenPacket, GivenRepo } from './given.ts'
import { shadowOf } from './shadow.ts'

export type RepoIds = ReturnType<typeof repoIdsOf>

/**
 * Translates repo ids: here the id of a repo is derived from its name; a plain peer makes up one for each repo that
 * it names. The shadows remember which ids belong together.
 */
export function repoIdsOf(view: View, agentId: string, projectId: string) {
  const repos = view.projects.get(projectId)?.repos
  /** By the peer's ids: repos of the same message, and ids that were looked up. */
  const known = new Map<string, string>()
  const isHere = (id: string): boolean => repos?.get(id) !== undefined

  function arrive({ repo_id, name }: Pick<GivenRepo, 'repo_id' | 'name'>): string {
    const id = isHere(repo_id) ? repo_id : repoIdOf(projectId, name)
    known.set(repo_id, id)
    return id
  }

  /** The id of a repo here; an unknown id stays as it is. */
  const here = (idThere: string): string => getOrAdd(known, idThere, find)

  function find(idThere: string): string {
    if (!isHere(idThere))
      for (const { repo_id } of repos?.oldestFirst() ?? []) if (there(repo_id) === idThere) return repo_id
    return idThere
  }

  const there = (repoId: string): string =>
    shadowOf(view, agentId, { kind: 'repo', project_id: projectId, id: repoId })?.id_there ?? repoId

  /** The contract with the repo ids of this daemon. */
  const contract = (given: GivenContract): GivenContract => ({
    ...given,
    proposed_by: here(given.proposed_by),
    history: given.history.map((one) => ({ ...one, proposed_by: here(one.proposed_by) })),
    implementations: given.implementations.map((one) => ({ ...one, repo_id: here(one.repo_id) })),
  })

  const packet = (given: GivenPacket): GivenPacket => ({ ...given, from_repo: here(given.from_repo) })

  return { arrive, here, there, contract, packet }
}
