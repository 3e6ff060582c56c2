import { z } from 'zod'
import { unusedOf } from '../../domain/contract/unused.ts'
import { contractOf, projectOf } from '../../domain/lookup.ts'
import { ContractWord, ProjectWord } from '../../protocol/named.ts'
import { EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID } from '../examples.ts'
import { method } from '../row.ts'

const Names = z.array(z.string()).readonly()

export const unused = method({
  name: 'cacp/contract/unused',
  summary: 'List what of a contract no consumer says that it uses.',
  access: 'read',
  permission: 'project:read',
  params: z.object({ projectId: ProjectWord, contractId: ContractWord }),
  result: z.object({
    contractId: z.string(),
    version: z.int().describe('the one in force, else the newest'),
    unused: Names.describe('places, at most 200; none while no consumer said what it uses'),
    heard: Names.describe('consumers that said what they use'),
    silent: Names.describe('consumers that did not, and so may use any of it'),
    truncated: z.boolean().optional(),
  }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, contractId: EXAMPLE_CONTRACT_ID },
    result: {
      contractId: EXAMPLE_CONTRACT_ID,
      version: 2,
      unused: ['response.200.body.avatar'],
      heard: ['frontend-app'],
      silent: [],
    },
  },
}).decide((view, { projectId, contractId }, env) => {
  const found = projectOf(view, projectId, env)
  return { result: { contractId, ...unusedOf(found, contractOf(found, contractId)) } }
})
