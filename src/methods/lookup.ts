import { z } from 'zod'
import { contractCalled, projectCalled, repoCalled } from '../domain/lookup.ts'
import { LIMITS } from '../protocol/limits.ts'
import { Name } from '../protocol/words.ts'
import { EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID } from './examples.ts'
import { method } from './row.ts'

const Words = z.array(Name).max(LIMITS.listItems).default([])
const Ids = z.array(z.string())

export const lookup = method({
  name: 'cacp/lookup',
  summary:
    'Find the ids of what is called so: each word is an id, or else the exact name within its project.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: Name.describe('ID or name'),
    contracts: Words.describe('IDs or names'),
    repos: Words.describe('IDs or names'),
  }),
  result: z.object({
    projectId: z.string(),
    contractIds: Ids.describe('in the order of contracts'),
    repoNames: Ids.describe('in the order of repos'),
  }),
  example: {
    params: { projectId: 'User Auth Feature', contracts: ['Get User Profile'] },
    result: { projectId: EXAMPLE_PROJECT_ID, contractIds: [EXAMPLE_CONTRACT_ID], repoNames: [] },
  },
}).decide((view, { projectId, contracts, repos }, env) => {
  const found = projectCalled(view, projectId, env)
  return {
    result: {
      projectId: found.project.project_id,
      contractIds: contracts.map((word) => contractCalled(found, word).contract_id),
      repoNames: repos.map((word) => repoCalled(found, word).name),
    },
  }
})
