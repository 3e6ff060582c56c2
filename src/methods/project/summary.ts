import * as z from 'zod'
import { projectOf } from '../../domain/lookup.ts'
import { Summary, summarize } from '../../domain/project/summary.ts'
import { ProjectWord } from '../../protocol/named.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'

export const summary = method({
  name: 'cacp/project/summary',
  summary:
    'Tell a project on one page: what it is for, who is in it, what is in force, what was decided, who has to do what.',
  ...readsProject,
  params: z.object({
    projectId: ProjectWord,
    limit: z.int().min(1).max(100).default(100).describe('how many of each kind, at most'),
  }),
  result: Summary,
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      projectId: EXAMPLE.projectId,
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      status: 'planning',
      archived: false,
      repos: [
        { name: 'backend-api', role: 'backend', agentId: EXAMPLE.agentId },
        { name: 'frontend-app', role: 'frontend', agentId: null },
      ],
      inForce: [
        {
          contractId: EXAMPLE.contractId,
          name: 'Get User Profile',
          type: 'api_endpoint',
          version: 1,
          status: 'agreed',
          parties: ['backend-api', 'frontend-app'],
        },
      ],
      decisions: [
        {
          packetId: EXAMPLE.packetId,
          repo: 'backend-api',
          at: EXAMPLE.time,
          decision: 'Authentication method',
          chosen: 'JWT tokens',
          rationale: 'Better for stateless API, works across services',
        },
      ],
      owed: [
        {
          kind: 'contract',
          id: EXAMPLE.contractId,
          name: 'Get User Profile',
          version: 1,
          status: 'agreed',
          repos: ['backend-api', 'frontend-app'],
          to: 'implement it',
          since: EXAMPLE.time,
        },
      ],
      truncated: false,
    },
  },
}).decide((view, { projectId, limit }, env) => {
  const { summary: result, packets } = summarize(projectOf(view, projectId, env), limit)
  return { result, shows: { project_id: projectId, packets } }
})
