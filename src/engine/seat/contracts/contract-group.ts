import type { ListedContract } from '../../../domain/contract/listed.ts'
import type { ContractTally } from '../../../methods/contract/service.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { SortedEntries } from '../sorted-entries.ts'

/** Contracts of one project in the order of their last change, and how many of them there are of each sort. */
export class ContractGroup {
  readonly order = new SortedEntries<ListedContract>()
  readonly #tallies = new Map<string, { -readonly [Field in keyof ContractTally]: ContractTally[Field] }>()

  get tallies(): Iterable<ContractTally> {
    return this.#tallies.values()
  }

  add(contract: ListedContract): void {
    this.order.add(contract)
    this.#count(contract, 1)
  }

  remove(contract: ListedContract): void {
    this.order.remove(contract)
    this.#count(contract, -1)
  }

  #count(contract: ListedContract, more: 1 | -1): void {
    const { projectId, type, status, isWithdrawn, isRetired, hasConflict, hasFailed } = contract
    const alike = { projectId, type, status, isWithdrawn, isRetired, hasConflict, hasFailed }
    const key = `${type} ${status} ${isWithdrawn} ${isRetired} ${hasConflict} ${hasFailed}`
    const tally = getOrAdd(this.#tallies, key, () => ({ ...alike, count: 0 }))
    tally.count += more
    if (tally.count === 0) this.#tallies.delete(key)
  }
}
