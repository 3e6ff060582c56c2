import type { ContractLists } from '../../../methods/contract/service.ts'
import { ChangeFollower } from '../../log/change-follower.ts'
import type { Parts } from '../../parts.ts'
import type { Background } from '../../timing/background-tasks.ts'
import { ContractOrder } from './contract-order.ts'

export interface IndexedContracts extends ContractLists {
  /** Takes in all contracts in advance, so that the first reader does not wait for that. */
  warmUp(background: Background): Promise<void>
}

/** Keeps an index of all contracts, so that a page of them costs as much as it shows. */
export function createContractLists(
  deps: Pick<Parts, 'store' | 'log' | 'pause' | 'failed'>,
): IndexedContracts {
  const { store } = deps
  const order = new ContractOrder()
  const follower = new ChangeFollower({
    ...deps,
    take: ({ kind, project_id, id }) => {
      const found = kind === 'contract' ? store.view.projects.get(project_id) : undefined
      if (found !== undefined) order.put(project_id, id, found.contracts.get(id))
    },
  })
  const read: ContractLists['read'] = (reading) => store.commit((view) => ({ result: reading(view) }))

  return {
    read,
    async readIndexed(reading) {
      await follower.catchUp()
      return read((view) => reading(view, order))
    },
    warmUp: (background) => follower.warmUp(background),
  }
}
