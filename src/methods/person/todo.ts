import * as z from 'zod'
import { AgentItem, PersonTask, PersonWait } from '../../domain/person/task-shape.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const TodoQuery = z.object({
  projectId: AnyProjectWord.optional().describe('ID or name: of items and waits only those in this project'),
  limit: z.int().min(0).max(200).default(100).describe('most items and most waits; 0: only count them'),
})
export type TodoQuery = z.output<typeof TodoQuery>

export const todo = method({
  name: 'cacp/person/todo',
  summary: 'Show what only a person can do, what the agent has to do, and whom both wait for.',
  access: 'operator',
  noted: 'never',
  params: TodoQuery,
  result: z.object({
    person: listOf(PersonTask).describe(
      'what only a person can do: first what holds whatever its age, then the oldest',
    ),
    agent: listOf(AgentItem).describe('what the agent has to do, as cacp/inbox/list tells it'),
    waiting: listOf(PersonWait).describe('whom this repository waits for'),
    counts: z
      .object({
        person: z.int(),
        agent: z.int(),
        overdue: z.int().describe('items of the agent that are overdue'),
        waiting: z.int(),
        total: z.int().describe('what a person should look at: person and overdue'),
      })
      .describe('also of what is beyond the limit'),
    more: z.boolean().describe('there is more than the 200 items or waits that were counted'),
  }),
  example: {
    params: { limit: 50 },
    result: {
      person: [
        {
          id: `approve_peer:${EXAMPLE.agentId}`,
          kind: 'approve_peer',
          name: 'frontend-app',
          why: '«frontend-app» at «http://127.0.0.1:8081» asks to be let in',
          since: EXAMPLE.time,
          from: { repo: 'frontend-app', agentId: EXAMPLE.agentId, trust: 'pending' },
          endpoint: 'http://127.0.0.1:8081',
          fingerprint: null,
          next: { method: 'cacp/peer/approve', params: { agentId: EXAMPLE.agentId } },
        },
      ],
      agent: [],
      waiting: [],
      counts: { person: 1, agent: 0, overdue: 0, waiting: 0, total: 1 },
      more: false,
    },
  },
}).serve(({ person }, query, { env }) => person.todo(query, env))
