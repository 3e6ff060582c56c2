import { z } from 'zod'
import type { Seat } from '../../domain/contract/contract.ts'
import { Fault } from '../../protocol/fault.ts'

export const ReadVersion = z
  .int()
  .min(1)
  .optional()
  .describe('the version you read; refused when it has moved on since')

export function expectVersion({ found, contract }: Seat, version: number | undefined): void {
  const { contract_id: contractId, head } = contract
  if (version === undefined || version === head.version) return
  const params = { projectId: found.project.project_id, contractId }
  throw new Fault('conflict', `Contract ${contractId} is at version ${head.version}, not ${version}`, {
    next: 'Read it again with cacp/contract/get',
    data: { contractId, version: head.version, call: { method: 'cacp/contract/get', params } },
  })
}
