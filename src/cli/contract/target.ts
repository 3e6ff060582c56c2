import type { Client } from '../../client.ts'
import { AGENT_ID } from '../form/options.ts'

/** What every command on one contract takes. */
export const CONTRACT_WORD = { '<contract>': 'its ID or name' } as const

export const OF_CONTRACT = {
  '--project-id <text>': 'ID or name of its project (default: the current project, or the only one)',
  ...AGENT_ID,
} as const

interface Named {
  readonly contract: string
  readonly projectId: string | undefined
}

/** A daemon takes beginnings of ids only to show something, so what is meant is found out before. */
export async function targetOf(client: Client, { contract, projectId }: Named) {
  const found = await client.call('cacp/lookup', { projectId, contracts: [contract] })
  return { projectId: found.projectId, contractId: found.contractIds[0] ?? contract }
}
