import * as z from 'zod'
import { projectOf } from '../../domain/lookup.ts'
import { HIT_KINDS, Hit } from '../../domain/search/hit.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const LONGEST_QUERY = 1000
const MOST_HITS = 100

const SearchRequest = z.object({
  query: z.string().min(1).max(LONGEST_QUERY).describe('words to look for, such as "login token"'),
  project: AnyProjectWord.optional().describe('ID or name: only in this project'),
  kind: z.enum(HIT_KINDS).optional(),
  limit: z.int().min(1).max(MOST_HITS).default(20),
})
export type SearchRequest = z.output<typeof SearchRequest>

const SearchAnswer = z.object({ hits: listOf(Hit), total: z.int().describe('also those beyond the limit') })
export type SearchAnswer = z.output<typeof SearchAnswer>

export const search = method({
  name: 'cacp/search',
  summary:
    'Find contracts, context and responses by their words, the best first; typing errors do not matter.',
  access: 'read',
  params: SearchRequest,
  result: SearchAnswer,
  example: {
    params: { query: 'user profle', kind: 'contract' },
    result: {
      hits: [
        {
          kind: 'contract',
          projectId: EXAMPLE.projectId,
          projectName: 'User Auth Feature',
          id: EXAMPLE.contractId,
          name: 'Get User Profile',
          snippet: 'method GET path /api/v1/users/profile responseBody type object properties id',
          score: 12.3,
          at: EXAMPLE.time,
        },
      ],
      total: 1,
    },
  },
  hint: () => 'For example {"query": "login token", "kind": "contract", "limit": 20}',
}).serve(({ search }, request, { view, env }) => {
  if (request.project !== undefined) projectOf(view, request.project, env)
  return search.find(request, env.caller)
})
