import { repoIdOf } from '../statements/words.ts'
import type { ProjectView, View } from '../view.ts'
import type { GivenContract, GivenPacket, GivenRepo } from './given.ts'
import { shadowOf } from './shadow.ts'

/**
 * The id of a repo follows from its name here; a plain peer makes up one for each repo that it names. Which is which is
 * known from what it showed.
 */
export class RepoIds {
  readonly #view: View
  readonly #agentId: string
  readonly #projectId: string
  readonly #found: ProjectView | undefined
  /** Those that come in the same message. */
  readonly #arriving = new Map<string, string>()

  constructor(view: View, agentId: string, projectId: string) {
    this.#view = view
    this.#agentId = agentId
    this.#projectId = projectId
    this.#found = view.projects.get(projectId)
  }

  arrive({ repo_id, name }: Pick<GivenRepo, 'repo_id' | 'name'>): string {
    const id = this.#isHere(repo_id) ? repo_id : repoIdOf(this.#projectId, name)
    this.#arriving.set(repo_id, id)
    return id
  }

  /** What it is called here; an id that nobody knows stays as it is. */
  readonly here = (idThere: string): string => {
    if (this.#isHere(idThere)) return idThere
    const arriving = this.#arriving.get(idThere)
    if (arriving !== undefined) return arriving
    for (const { repo_id } of this.#found?.repos.oldestFirst() ?? [])
      if (this.there(repo_id) === idThere) return repo_id
    return idThere
  }

  /** With the ids that its repos have here. */
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
