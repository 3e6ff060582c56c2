import type { Client } from '../../client.ts'
import type { Standing } from '../../domain/documents/compare.ts'
import { fetchContracts, listContracts } from '../contract/all-contracts.ts'

/** The contracts of a project with their contents, in the order in which they were proposed. */
export async function readContracts(client: Client, project: string | undefined) {
  const { projectId } = await client.call('cacp/lookup', { projectId: project })
  const ids = (await listContracts(client, projectId)).map(({ contractId }) => contractId)
  const contracts = (await fetchContracts(client, projectId, ids)).map(
    ({ contractId, name, type, version, content, inForce }): Standing => {
      // The content is there where it is another one than that of the newest version.
      const agreed =
        inForce === null ? null : { version: inForce.version, content: inForce.content ?? content }
      return { contractId, name, type, version, content, inForce: agreed }
    },
  )
  return { projectId, contracts }
}

/** Those that are in force, as they are in force. */
export async function contractsInForce(client: Client, project: string | undefined) {
  const { contracts } = await readContracts(client, project)
  return contracts.flatMap(({ inForce, ...contract }) =>
    inForce === null ? [] : [{ ...contract, ...inForce }],
  )
}
