import { z } from 'zod'
import { projectOf } from '../../domain/lookup.ts'
import { summarize } from '../../domain/project/summary.ts'
import { ProjectWord } from '../../protocol/named.ts'
import { ContractStatus, ContractType, ProjectStatus } from '../../protocol/words.ts'
import {
  EXAMPLE_AGENT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_PACKET_ID,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_TIME,
} from '../examples.ts'
import { method } from '../row.ts'

const Names = z.array(z.string()).readonly()

const InForce = z.object({
  contractId: z.string(),
  name: z.string(),
  type: ContractType,
  version: z.int(),
  status: ContractStatus,
  parties: Names.describe('the repos that it binds'),
  proposed: z
    .object({ version: z.int(), status: ContractStatus })
    .optional()
    .describe('the version that is to take its place'),
})

const Decided = z.object({
  packetId: z.string(),
  repo: z.string(),
  at: z.string(),
  decision: z.string(),
  chosen: z.string(),
  rationale: z.string(),
  contradictedBy: Names.optional().describe('packet ids of decisions of others that choose something else'),
})

const Owed = z.object({
  kind: z.enum(['contract', 'question']),
  id: z.string(),
  name: z.string().describe('of a question what it asks'),
  version: z.int().optional(),
  status: ContractStatus.optional(),
  repos: Names.describe('whose turn it is; empty: any repo’s'),
  to: z.enum(['answer it', 'propose a new version', 'implement it', 'verify it', 'decide the same']),
  objectedBy: Names.optional(),
  from: z.string().optional().describe('who asked'),
  since: z.string(),
})

export const summary = method({
  name: 'cacp/project/summary',
  summary:
    'Tell a project on one page: what it is for, who is in it, what is in force, what was decided, who has to do what.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: ProjectWord,
    limit: z.int().min(1).max(100).default(100).describe('how many of each kind, at most'),
  }),
  result: z.object({
    projectId: z.string(),
    name: z.string(),
    objective: z.string(),
    status: ProjectStatus,
    archived: z.boolean(),
    repos: z
      .array(
        z.object({
          name: z.string(),
          role: z.string(),
          agentId: z.string().nullable().describe('null: nobody joined as it'),
        }),
      )
      .readonly(),
    inForce: z.array(InForce).readonly().describe('oldest first'),
    decisions: z.array(Decided).readonly().describe('newest first'),
    owed: z.array(Owed).readonly(),
    truncated: z.boolean().describe('there is more than is listed'),
  }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID },
    result: {
      projectId: EXAMPLE_PROJECT_ID,
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      status: 'planning',
      archived: false,
      repos: [
        { name: 'backend-api', role: 'backend', agentId: EXAMPLE_AGENT },
        { name: 'frontend-app', role: 'frontend', agentId: null },
      ],
      inForce: [
        {
          contractId: EXAMPLE_CONTRACT_ID,
          name: 'Get User Profile',
          type: 'api_endpoint',
          version: 1,
          status: 'agreed',
          parties: ['backend-api', 'frontend-app'],
        },
      ],
      decisions: [
        {
          packetId: EXAMPLE_PACKET_ID,
          repo: 'backend-api',
          at: EXAMPLE_TIME,
          decision: 'Authentication method',
          chosen: 'JWT tokens',
          rationale: 'Better for stateless API, works across services',
        },
      ],
      owed: [
        {
          kind: 'contract',
          id: EXAMPLE_CONTRACT_ID,
          name: 'Get User Profile',
          version: 1,
          status: 'agreed',
          repos: ['backend-api', 'frontend-app'],
          to: 'implement it',
          since: EXAMPLE_TIME,
        },
      ],
      truncated: false,
    },
  },
}).decide((view, { projectId, limit }, env) => {
  const { summary: result, packets } = summarize(projectOf(view, projectId, env), limit)
  return { result, shows: { project_id: projectId, packets } }
})
