import * as z from 'zod'
import { Undelivered } from '../../domain/delivery/outbox.ts'
import { isLocal } from '../../domain/delivery/receipt.ts'
import { AnyProjectWord, PeerWord } from '../../protocol/named.ts'
import { listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const OutboxQuery = z.object({
  to: PeerWord.optional().describe('a peer, by agent ID, repository or URL: only what it has not got'),
  projectId: AnyProjectWord.optional().describe('ID or name: only of this project'),
  limit: z.int().min(1).max(200).default(50),
})
export type OutboxQuery = z.output<typeof OutboxQuery>

const OutboxPage = z.object({
  items: listOf(Undelivered),
  peers: listOf(
    z.object({
      agentId: z.string(),
      repo: z.string(),
      behind: z.int().nullable().describe('statements it has not got yet; null: not known'),
      health: z.string(),
      why: z.string(),
      lastSeen: z.string().nullable(),
    }),
  ).describe('those that something has not arrived at'),
  more: z.boolean().describe('there is more than this: narrow it, or raise the limit'),
})
export type OutboxPage = z.output<typeof OutboxPage>
export type OutboxPeer = OutboxPage['peers'][number]

export const list = method({
  name: 'cacp/outbox/list',
  summary: 'List what has not arrived at other daemons: what, where, since when and why.',
  access: 'read',
  params: OutboxQuery,
  result: OutboxPage,
  example: {
    params: { limit: 10 },
    result: {
      items: [
        {
          agentId: EXAMPLE.agentId,
          repo: 'frontend-app',
          kind: 'contract',
          projectId: EXAMPLE.projectId,
          id: EXAMPLE.contractId,
          name: 'Get User Profile',
          since: EXAMPLE.time,
          why: 'the last attempt failed: http://127.0.0.1:8081 cannot be reached',
        },
      ],
      peers: [
        {
          agentId: EXAMPLE.agentId,
          repo: 'frontend-app',
          behind: 1,
          health: 'failing',
          why: 'the last attempt failed: http://127.0.0.1:8081 cannot be reached',
          lastSeen: EXAMPLE.time,
        },
      ],
      more: false,
    },
  },
}).serve(({ outbox }, { to, ...query }, { env: { caller } }) =>
  // A peer sees only its own entries.
  Promise.resolve(outbox.list({ ...query, to: isLocal(caller) ? to : caller.agentId })),
)
