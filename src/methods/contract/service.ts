import type { ListedContract } from '../../domain/contract/listed.ts'
import type { View } from '../../domain/view.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** Lists of contracts, of any number of them. */
export interface ContractLists {
  /** Reads the durable state. */
  read<Result>(read: (view: View) => Result): Promise<Result>
  /** The same with the index, once that has taken in all durable changes. The state may be further already. */
  readIndexed<Result>(read: (view: View, index: ContractIndex) => Result): Promise<Result>
}

export type ChangePlace = Pick<ListedContract, 'since' | 'id'>

/** All contracts, or those of a project, or those of it in which a repo has a say. */
export interface ContractScope {
  readonly projectId?: string | undefined
  readonly repoId?: string | undefined
}

export interface ContractIndex {
  /** The last change first; those before a place, if one is given. */
  newestFirst(scope: ContractScope, before?: ChangePlace): Iterable<ListedContract>
  /** In no particular order, for who has to look at all of them. */
  all(scope: ContractScope): readonly ListedContract[]
  /** How many there are of each sort, without looking at them. */
  tallies(scope: ContractScope): Iterable<ContractTally>
  /** The pairs of repos of a project that have contracts with each other that are not over. */
  pairs(projectId: string): Iterable<RepoPair>
}

/** Two repos with contracts that one of them opened and in which both have a say. */
export interface RepoPair {
  /** Ids of the repos, in the order of their text. */
  readonly a: string
  readonly b: string
  readonly tallies: Iterable<ContractTally>
  /** When one of their contracts changed last. */
  readonly newest: Stamp
}

/** The contracts of a project that are alike in what they are counted by. */
export interface ContractTally
  extends Pick<
    ListedContract,
    'projectId' | 'type' | 'status' | 'isWithdrawn' | 'isRetired' | 'hasConflict' | 'hasFailed'
  > {
  readonly count: number
}
