import * as z from 'zod'
import { FEED_KINDS, FeedEvent, USUAL_KINDS } from '../../domain/feed/feed.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { listOf, Order } from '../../protocol/words.ts'
import { EXAMPLE, method, readsProject, withReceipts } from '../row.ts'

const FeedPage = z.object({
  events: listOf(FeedEvent),
  cursor: z.string().describe('to go on from, also when there are no events'),
  more: z.boolean().describe('there is more already: call again at once'),
})
export type FeedPage = z.output<typeof FeedPage>

export const read = method({
  name: 'cacp/feed/read',
  summary:
    'Read what changed since a cursor, the oldest change first, or back from now on: every entity once, as it is now.',
  ...readsProject,
  params: z
    .object({
      since: z
        .string()
        .optional()
        .describe('of order oldest: the cursor of the answer before; without it, from the very start'),
      order: Order.describe('oldest: the oldest change first; newest: back from the last change'),
      before: z
        .string()
        .optional()
        .describe(
          'of order newest: the cursor of the answer before, or of an event; without it, from now on back',
        ),
      limit: z.int().min(1).max(500).default(100),
      projectId: AnyProjectWord.optional().describe('ID or name: only what changed in this project'),
      kinds: z
        .array(z.enum(FEED_KINDS))
        .min(1)
        .max(FEED_KINDS.length)
        .optional()
        .describe(`only these; without it ${USUAL_KINDS.join(', ')}`),
    })
    .refine(({ order, since }) => order === 'oldest' || since === undefined, {
      path: ['since'],
      error: 'goes with order oldest; use before to go on back',
    })
    .refine(({ order, before }) => order === 'newest' || before === undefined, {
      path: ['before'],
      error: 'goes with order newest',
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
}).serve(({ feed }, { order, since, before, ...query }, call) => {
  const { caller } = call.env
  const page =
    order === 'oldest' ? feed.read({ ...query, since }, caller) : feed.readBack({ ...query, before }, caller)
  return withReceipts(call, page, ({ events }) =>
    events.map(({ projectId, kind, id, at }) => ({ projectId, kind, id, of: at })),
  )
})
