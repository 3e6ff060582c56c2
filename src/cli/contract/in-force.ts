import type { Client } from '../../client.ts'
import type { InForce } from '../../domain/types/types.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** What is read of all contracts of a project. */
export interface ContractsRead {
  readonly projectId: string
  readonly contracts: readonly InForce[]
}

/** The contracts of a project that are in force, as they are in force, in the order in which they were proposed. */
export async function contractsInForce(client: Client, project: string | undefined): Promise<ContractsRead> {
  const { projectId } = await client.call('cacp/lookup', { projectId: project })
  const listed: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('cacp/contract/list', { projectId, cursor })
    for (const { contractId, inForce } of page.contracts) if (inForce !== null) listed.push(contractId)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  const contracts: InForce[] = []
  for (let at = 0; at < listed.length; at += LIMITS.batchItems) {
    const calls = listed
      .slice(at, at + LIMITS.batchItems)
      .map((contractId) => ({ method: 'cacp/contract/get' as const, params: { projectId, contractId } }))
    for (const answer of await client.batch(calls)) {
      if (answer.status === 'rejected') throw answer.reason
      const { contractId, name, type, content, inForce } = answer.value
      // It may have been retired since it was listed.
      if (inForce === null) continue
      const { version, content: own = content } = inForce
      contracts.push({ contractId, name, type, version, content: own })
    }
  }
  return { projectId, contracts }
}
