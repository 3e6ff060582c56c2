import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import type { ProjectView, View } from '../view.ts'
import type { GivenContract, GivenPacket, GivenRepo } from './given.ts'
import { shadowOf } from './shadow.ts'

/**
 * Translates repo ids: here the id of a repo is derived from its name; a plain peer makes up one for each repo that
 * it names. The shadows remember which ids belong together.
 */
export class RepoIds {
  readonly #view: View
  readonly #agentId: string
  readonly #projectId: string
  readonly #found: ProjectView | undefined
  /** By the peer's ids: repos of the same message, and ids that were looked up. */
  readonly #known = new Map<string, string>()

  constructor(view: View, agentId: string, projectId: string) {
    this.#view = view
    this.#agentId = agentId
    this.#projectId = projectId
    this.#found = view.projects.get(projectId)
  }

  arrive({ repo_id, name }: Pick<GivenRepo, 'repo_id' | 'name'>): string {
    const id = this.#isHere(repo_id) ? repo_id : repoIdOf(this.#projectId, name)
    this.#known.set(repo_id, id)
    return id
  }

  /** The id of a repo here; an unknown id stays as it is. */
  here(idThere: string): string {
    return getOrAdd(this.#known, idThere, () => this.#find(idThere))
  }

  #find(idThere: string): string {
    if (!this.#isHere(idThere))
      for (const { repo_id } of this.#found?.repos.oldestFirst() ?? [])
        if (this.there(repo_id) === idThere) return repo_id
    return idThere
  }

  /** The contract with the repo ids of this daemon. */
  contract(given: GivenContract): GivenContract {
    return {
      ...given,
      proposed_by: this.here(given.proposed_by),
      history: given.history.map((one) => ({ ...one, proposed_by: this.here(one.proposed_by) })),
      implementations: given.implementations.map((one) => ({ ...one, repo_id: this.here(one.repo_id) })),
    }
  }

  packet(given: GivenPacket): GivenPacket {
    return { ...given, from_repo: this.here(given.from_repo) }
  }

  readonly there = (repoId: string): string => {
    const name = { kind: 'repo', project_id: this.#projectId, id: repoId } as const
    return shadowOf(this.#view, this.#agentId, name)?.id_there ?? repoId
  }

  #isHere(id: string): boolean {
    return this.#found?.repos.get(id) !== undefined
  }
}
