import { z } from 'zod'
import type { ContractEntity } from '../domain/views/entities.ts'
import { Fault } from '../protocol/fault.ts'

export const ReadVersion = z
  .int()
  .min(1)
  .optional()
  .describe('the version you read; refused when it has moved on since')

export function expectVersion({ contract_id, head }: ContractEntity, version: number | undefined): void {
  if (version !== undefined && version !== head.version)
    throw new Fault('conflict', `Contract ${contract_id} is at version ${head.version}, not ${version}`, {
      next: 'Read it again with cacp/contract/get',
      data: { contractId: contract_id, version: head.version },
    })
}
