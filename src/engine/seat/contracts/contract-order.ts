import { type ListedContract, listedOf } from '../../../domain/contract/listed.ts'
import type { ContractEntity } from '../../../domain/views/entities.ts'
import type {
  ChangePlace,
  ContractIndex,
  ContractScope,
  ContractTally,
} from '../../../methods/contract/service.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { SortedEntries } from '../sorted-entries.ts'
import { ContractGroup } from './contract-group.ts'

/** All contracts in the order of their last change: together, by project, and by the repos that have a say in them. */
export class ContractOrder implements ContractIndex {
  readonly #all = new SortedEntries<ListedContract>()
  readonly #projects = new Map<string, ProjectContracts>()

  newestFirst(scope: ContractScope, before?: ChangePlace): Iterable<ListedContract> {
    return this.#orderOf(scope)?.lastFirst(before) ?? []
  }

  all(scope: ContractScope): readonly ListedContract[] {
    return this.#orderOf(scope)?.all ?? []
  }

  *tallies(scope: ContractScope): Iterable<ContractTally> {
    if (scope.projectId !== undefined) yield* this.#groupOf(scope)?.tallies ?? []
    else for (const { contracts } of this.#projects.values()) yield* contracts.tallies
  }

  /** Takes in a contract as it is now, undefined when it is gone. */
  put(projectId: string, contractId: string, contract: ContractEntity | undefined): void {
    const project = getOrAdd(this.#projects, projectId, newProject)
    const before = project.known.get(contractId)
    if (before !== undefined) {
      this.#all.remove(before)
      for (const group of groupsOf(before, project)) group.remove(before)
      project.known.delete(contractId)
    }
    if (contract === undefined) return
    const now = listedOf(projectId, contract)
    this.#all.add(now)
    for (const group of groupsOf(now, project)) group.add(now)
    project.known.set(contractId, now)
  }

  #orderOf(scope: ContractScope): SortedEntries<ListedContract> | undefined {
    return scope.projectId === undefined ? this.#all : this.#groupOf(scope)?.order
  }

  #groupOf({ projectId = '', repoId }: ContractScope): ContractGroup | undefined {
    const project = this.#projects.get(projectId)
    return repoId === undefined ? project?.contracts : project?.repos.get(repoId)
  }
}

interface ProjectContracts {
  /** By their ids. */
  readonly known: Map<string, ListedContract>
  readonly contracts: ContractGroup
  /** By the id of a repo, those in which it has a say. */
  readonly repos: Map<string, ContractGroup>
}

const newProject = (): ProjectContracts => ({
  known: new Map(),
  contracts: new ContractGroup(),
  repos: new Map(),
})

function* groupsOf({ repos }: ListedContract, project: ProjectContracts): Iterable<ContractGroup> {
  yield project.contracts
  for (const repoId of repos) yield getOrAdd(project.repos, repoId, () => new ContractGroup())
}
