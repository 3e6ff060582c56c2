import * as z from 'zod'
import { ADP_LIMITS } from '../../protocol/agent/adp.ts'
import { Aid } from '../../protocol/agent/aid.ts'
import { listOf, Name, Texts } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const FoundAgent = z.object({
  agentId: z.string(),
  name: z.string(),
  description: z.string(),
  endpoint: z.string().describe('where it says that it can be called'),
  role: z.string().nullable(),
  languages: Texts,
  verified: z.boolean().describe('what the exchange says'),
  signature: z.enum(['valid', 'invalid', 'none']).describe('of the manifest, checked here'),
})
export type FoundAgent = z.output<typeof FoundAgent>

const AgentSearch = z.object({
  query: z.string().max(ADP_LIMITS.queryLength).default('').describe('words to look for; none: all'),
  role: Name.optional(),
  language: Name.optional(),
  limit: z.int().min(1).max(ADP_LIMITS.pageItems).default(20),
  offset: z.int().min(0).max(ADP_LIMITS.offset).default(0),
})
export type AgentSearch = z.output<typeof AgentSearch>

export const search = method({
  name: 'cacp/adp/search',
  summary: 'Find agents that are registered with the ADP exchange of this daemon.',
  access: 'operator',
  params: AgentSearch,
  result: z.object({
    agents: listOf(FoundAgent),
    total: z
      .int()
      .describe('that the exchange found, this daemon and other kinds of agents perhaps included'),
  }),
  example: {
    params: { query: 'checkout', role: 'frontend' },
    result: {
      agents: [
        {
          agentId: EXAMPLE.agentId,
          name: 'CACP Agent (frontend-app)',
          description: 'Coding agent for frontend-app repository',
          endpoint: 'https://frontend.example:8080',
          role: 'frontend',
          languages: ['typescript'],
          verified: true,
          signature: 'valid',
        },
      ],
      total: 1,
    },
  },
}).serve(({ discovery }, params) => discovery.search(params))

export const add = method({
  name: 'cacp/adp/add',
  summary: 'Ask an agent that the exchange knows to let this daemon in.',
  access: 'operator',
  params: z.object({ agentId: Aid }),
  result: z.object({
    agentId: z.string(),
    endpoint: z.string(),
    theirStatus: z
      .string()
      .describe('registered: connected; pending: their operator has to invite this daemon'),
  }),
  example: {
    params: { agentId: EXAMPLE.agentId },
    result: { agentId: EXAMPLE.agentId, endpoint: 'https://frontend.example:8080', theirStatus: 'pending' },
  },
}).serve(({ discovery }, { agentId }, { env }) => discovery.add(agentId, env))
