import { z } from 'zod'
import { FEED_KINDS, FeedEvent, USUAL_KINDS } from '../../domain/feed/feed.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'
import { withReceipts } from './with-receipts.ts'

const FeedPage = z.object({
  events: z.array(FeedEvent).readonly(),
  cursor: z.string().describe('to go on from, also when there are no events'),
  more: z.boolean().describe('there is more already: call again at once'),
})
export type FeedPage = z.output<typeof FeedPage>

export const read = method({
  name: 'cacp/feed/read',
  summary: 'Read what changed since a cursor: every entity once, as it is now, the oldest change first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    since: z.string().optional().describe('the cursor of the answer before; without it, from the very start'),
    limit: z.int().min(1).max(500).default(100),
    projectId: AnyProjectWord.optional().describe('ID or name: only what changed in this project'),
    kinds: z
      .array(z.enum(FEED_KINDS))
      .min(1)
      .max(FEED_KINDS.length)
      .optional()
      .describe(`only these; without it ${USUAL_KINDS.join(', ')}`),
  }),
  result: FeedPage,
  example: {
    params: { since: EXAMPLE.cursor, limit: 100 },
    result: {
      events: [
        {
          cursor: EXAMPLE.nextCursor,
          kind: 'contract',
          projectId: EXAMPLE.projectId,
          id: EXAMPLE.contractId,
          at: EXAMPLE.contract.updated_at,
          value: EXAMPLE.contract,
        },
      ],
      cursor: EXAMPLE.nextCursor,
      more: false,
    },
  },
  hint: () =>
    `For example {"since": "${EXAMPLE.cursor}", "limit": 100, "kinds": ["contract", "packet"]}, all of them optional`,
}).serve((services, params, call) =>
  withReceipts(call, services.feed.read(params, call.env.caller), ({ events }) =>
    events.map(({ projectId, kind, id, at }) => ({ projectId, kind, id, of: at })),
  ),
)
