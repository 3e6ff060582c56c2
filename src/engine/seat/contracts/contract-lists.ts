import type { ContractLists } from '../../../methods/contract/service.ts'
import { createChangeFollower } from '../../log/change-follower.ts'
import type { Parts } from '../../parts.ts'
import type { Background } from '../../timing/background-tasks.ts'
import { ContractOrder } from './contract-order.ts'

/** Keeps an index of all contracts, so that a page of them costs as much as it shows. */
export function createContractLists(deps: Pick<Parts, 'store' | 'log' | 'pause' | 'failed'>) {
  const { store } = deps
  const order = new ContractOrder()
  const follower = createChangeFollower({
    ...deps,
    take: ({ kind, project_id, id }) => {
      const found = kind === 'contract' ? store.view.projects.get(project_id) : undefined
      if (found !== undefined) order.put(project_id, id, found.contracts.get(id))
    },
  })
  const read: ContractLists['read'] = (reading) => store.commit((view) => ({ result: reading(view) }))

  const readIndexed: ContractLists['readIndexed'] = async (reading) => {
    await follower.catchUp()
    return read((view) => reading(view, order))
  }
  /** Takes in all contracts in advance, so that the first reader does not wait for that. */
  const warmUp = (background: Background): Promise<void> => follower.warmUp(background)
  return { read, readIndexed, warmUp }
}
