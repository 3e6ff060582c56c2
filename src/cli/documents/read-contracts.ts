import type { Client } from '../../client.ts'
import type { Standing } from '../../domain/documents/compare.ts'
import type { InForce } from '../../domain/types/types.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** What is read of all contracts of a project. */
export interface ContractsRead {
  readonly projectId: string
  readonly contracts: readonly Standing[]
}

/** The contracts of a project with their contents, in the order in which they were proposed. */
export async function readContracts(client: Client, project: string | undefined): Promise<ContractsRead> {
  const { projectId } = await client.call('cacp/lookup', { projectId: project })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('cacp/contract/list', { projectId, cursor })
    for (const { contractId, retired } of page.contracts) if (retired !== true) listed.push(contractId)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const contracts: Standing[] = []
  for (let at = 0; at < listed.length; at += AT_ONCE * LIMITS.batchItems) {
    const batches = Array.from({ length: AT_ONCE }, (_, index) => {
      const from = at + index * LIMITS.batchItems
      return fetched(client, projectId, listed.slice(from, from + LIMITS.batchItems))
    })
    for (const batch of await Promise.all(batches)) contracts.push(...batch)
  }
  return { projectId, contracts }
}

/** Calls that are on their way, so that the next answer is made while one is read. */
const AT_ONCE = 4

async function fetched(client: Client, projectId: string, ids: readonly string[]): Promise<Standing[]> {
  if (ids.length === 0) return []
  const calls = ids.map((contractId) => ({
    method: 'cacp/contract/get' as const,
    params: { projectId, contractId },
  }))
  return (await client.batch(calls)).map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    const { contractId, name, type, version, content, inForce } = answer.value
    // The content is there where it is another one than that of the newest version.
    const agreed = inForce === null ? null : { version: inForce.version, content: inForce.content ?? content }
    return { contractId, name, type, version, content, inForce: agreed }
  })
}

/** Those that are in force, as they are in force. */
export async function contractsInForce(
  client: Client,
  project: string | undefined,
): Promise<readonly InForce[]> {
  const { contracts } = await readContracts(client, project)
  return contracts.flatMap(({ inForce, ...contract }) =>
    inForce === null ? [] : [{ ...contract, ...inForce }],
  )
}
