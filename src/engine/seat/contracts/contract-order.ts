import { type ListedContract, listedOf } from '../../../domain/contract/listed.ts'
import type { ContractEntity } from '../../../domain/views/entities.ts'
import type {
  ChangePlace,
  ContractIndex,
  ContractScope,
  ContractTally,
  RepoPair,
} from '../../../methods/contract/service.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { SortedEntries } from '../sorted-entries.ts'

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

  *pairs(projectId: string): Iterable<RepoPair> {
    for (const { a, b, contracts } of this.#projects.get(projectId)?.pairs.values() ?? []) {
      const newest = contracts.order.at(contracts.order.size - 1)?.since
      if (newest !== undefined) yield { a, b, tallies: contracts.tallies, newest }
    }
  }

  /** Takes in a contract as it is now, undefined when it is gone. */
  put(projectId: string, contractId: string, contract: ContractEntity | undefined): void {
    const project = getOrAdd(this.#projects, projectId, newProject)
    const before = project.known.get(contractId)
    if (before !== undefined) {
      this.#all.remove(before)
      for (const group of groupsOf(before, project)) group.change(before, -1)
      project.known.delete(contractId)
    }
    if (contract === undefined) return
    const now = listedOf(projectId, contract)
    this.#all.add(now)
    for (const group of groupsOf(now, project)) group.change(now, 1)
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

/** Contracts of one project in the order of their last change, and how many of them there are of each sort. */
class ContractGroup {
  readonly order = new SortedEntries<ListedContract>()
  readonly #tallies = new Map<string, { -readonly [Field in keyof ContractTally]: ContractTally[Field] }>()

  get tallies(): Iterable<ContractTally> {
    return this.#tallies.values()
  }

  /** Adds a contract, or removes it. */
  change(contract: ListedContract, more: 1 | -1): void {
    this.order.change(contract, more)
    const { projectId, type, status, isWithdrawn, isRetired, hasConflict, hasFailed } = contract
    const alike = { projectId, type, status, isWithdrawn, isRetired, hasConflict, hasFailed }
    const key = `${type} ${status} ${isWithdrawn} ${isRetired} ${hasConflict} ${hasFailed}`
    const tally = getOrAdd(this.#tallies, key, () => ({ ...alike, count: 0 }))
    tally.count += more
    if (tally.count === 0) this.#tallies.delete(key)
  }
}

interface ProjectContracts {
  /** By their ids. */
  readonly known: Map<string, ListedContract>
  readonly contracts: ContractGroup
  /** By the id of a repo, those in which it has a say. */
  readonly repos: Map<string, ContractGroup>
  /** By the ids of two repos, those that are not over. */
  readonly pairs: Map<string, { readonly a: string; readonly b: string; readonly contracts: ContractGroup }>
}

const newProject = (): ProjectContracts => ({
  known: new Map(),
  contracts: new ContractGroup(),
  repos: new Map(),
  pairs: new Map(),
})

function* groupsOf(contract: ListedContract, project: ProjectContracts): Iterable<ContractGroup> {
  yield project.contracts
  for (const repoId of contract.repos) yield getOrAdd(project.repos, repoId, () => new ContractGroup())
  for (const [a, b] of pairsIn(contract))
    yield getOrAdd(project.pairs, `${a} ${b}`, () => ({ a, b, contracts: new ContractGroup() })).contracts
}

/** The repo that opened it with each of the others: what many agree on makes few pairs then. */
function* pairsIn({ openedBy, repos, isOver }: ListedContract): Iterable<readonly [string, string]> {
  const centre = repos.includes(openedBy) ? openedBy : repos[0]
  if (isOver || centre === undefined) return
  for (const other of repos) if (other !== centre) yield other < centre ? [other, centre] : [centre, other]
}
