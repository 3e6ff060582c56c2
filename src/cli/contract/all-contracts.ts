import type { Client } from '../../client.ts'
import type { ResultOf } from '../../methods/table.ts'
import { LIMITS } from '../../protocol/limits.ts'

export type ListedContract = ResultOf<'cacp/contract/list'>['contracts'][number]
export type WholeContract = ResultOf<'cacp/contract/get'>

/** Batches that are on their way, so that the next answer is made while one is read. */
const AT_ONCE = 4

/** The contracts of a project that are not retired, in the order in which they were proposed. */
export async function listContracts(client: Client, projectId: string): Promise<ListedContract[]> {
  const listed: ListedContract[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('cacp/contract/list', { projectId, cursor })
    for (const one of page.contracts) if (one.retired !== true) listed.push(one)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return listed
}

/** These contracts with their contents, in this order. */
export async function fetchContracts(client: Client, projectId: string, ids: readonly string[]) {
  const contracts: WholeContract[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE * LIMITS.batchItems) {
    const batches = Array.from({ length: AT_ONCE }, (_, index) => {
      const from = at + index * LIMITS.batchItems
      return fetchBatch(client, projectId, ids.slice(from, from + LIMITS.batchItems))
    })
    for (const batch of await Promise.all(batches)) for (const one of batch) contracts.push(one)
  }
  return contracts
}

async function fetchBatch(client: Client, projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const calls = ids.map((contractId) => ({
    method: 'cacp/contract/get' as const,
    // For a mock, types or a document: no agent has read it by that.
    params: { projectId, contractId, unseen: true },
  }))
  return (await client.batch(calls)).map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}
