import { z } from 'zod'
import { contractStamp, headOf, statusOf } from '../domain/contract.ts'
import { Deliveries } from '../domain/delivery.ts'
import { contractOf, projectOf } from '../domain/lookup.ts'
import type { Contract } from '../domain/model.ts'
import { isLocalAgent } from '../domain/receipt.ts'
import { renderContract } from '../domain/render.ts'
import { ContractStatus, ContractType, Id } from '../protocol/words.ts'
import {
  EXAMPLE_CONTRACT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_DELIVERY,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_REPO_ID,
} from './examples.ts'
import { pageParams, pageResult, takePage } from './page.ts'
import { method } from './row.ts'
import { ContractShape, DeliveryShape } from './shapes.ts'

const Shown = ContractShape.extend({
  delivery: z.array(DeliveryShape).readonly().optional().describe('to the agents of this daemon only'),
})

export const get = method({
  name: 'cacp/contract/get',
  summary: 'Get a contract with its responses, implementations and open conflicts.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: Id,
    contractId: Id,
    includeHistory: z.boolean().default(false).describe('also the earlier versions, under history'),
  }),
  result: Shown,
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, contractId: EXAMPLE_CONTRACT_ID },
    result: { ...EXAMPLE_CONTRACT, delivery: [EXAMPLE_DELIVERY] },
  },
}).decide((view, { projectId, contractId, includeHistory }, env) => {
  const found = projectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const { history, ...shown } = renderContract(contract)
  const result: z.output<typeof Shown> = shown
  if (includeHistory) result.history = history
  if (!isLocalAgent(env.caller)) return { result }
  result.delivery = new Deliveries(view, found, env.self).ofContract(contract)
  return { result, shows: { project_id: projectId, contracts: [contract] } }
})

const ContractSummary = z.object({
  contractId: z.string(),
  type: ContractType,
  name: z.string(),
  version: z.int(),
  status: ContractStatus,
  proposedBy: z.string(),
  updatedAt: z.string(),
})

export const list = method({
  name: 'cacp/contract/list',
  summary: 'List the contracts of a project, oldest first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: Id,
    status: ContractStatus.optional(),
    type: ContractType.optional(),
    ...pageParams,
  }),
  result: z.object({ contracts: z.array(ContractSummary), ...pageResult }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, status: 'proposed' },
    result: {
      contracts: [
        {
          contractId: EXAMPLE_CONTRACT_ID,
          type: 'api_endpoint',
          name: 'Get User Profile',
          version: 1,
          status: 'proposed',
          proposedBy: EXAMPLE_REPO_ID,
          updatedAt: EXAMPLE_CONTRACT.updated_at,
        },
      ],
    },
  },
}).decide((view, { projectId, status, type, ...page }, env) => {
  const { contracts } = projectOf(view, projectId, env)
  const { items, rest } = takePage(contracts, page, {
    id: (one: z.output<typeof ContractSummary>) => one.contractId,
    render: (contract) => {
      const one = summarize(contract)
      return (status ?? one.status) === one.status && (type ?? one.type) === one.type ? one : undefined
    },
  })
  return { result: { contracts: items, ...rest } }
})

function summarize(contract: Contract): z.output<typeof ContractSummary> {
  const { version, proposed_by } = headOf(contract)
  return {
    contractId: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version,
    status: statusOf(contract),
    proposedBy: proposed_by,
    updatedAt: contractStamp(contract),
  }
}
