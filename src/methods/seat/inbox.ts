import * as z from 'zod'
import { InboxItem, WaitingItem } from '../../domain/inbox/item-shape.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { Flag, listOf, Name } from '../../protocol/words.ts'
import { EXAMPLE, method, withReceipts } from '../row.ts'

/** What the caller's repos have to do. It is derived from the state; reading it changes nothing. */

const EXAMPLE_ITEM_ID = `answer_contract:${EXAMPLE.projectId}:${EXAMPLE.contractId}`

const InboxParams = z.object({
  projectId: AnyProjectWord.optional().describe('ID or name: only in this project'),
  limit: z.int().min(0).max(200).default(50).describe('0: only count'),
  includeAcked: Flag.describe('also what was hidden with cacp/inbox/ack'),
})
export interface InboxQuery extends z.output<typeof InboxParams> {
  /** Whether items say what a proposed version does to the repo, for which contracts are compared. */
  readonly withReviews?: boolean
}

const InboxPage = z.object({
  items: listOf(InboxItem),
  waitingFor: listOf(WaitingItem).describe('whom your repository waits for'),
  count: z.int().describe('of all items, also those beyond the limit'),
  cursor: z.string().describe('up to where the state was looked at, for cacp/feed/read and cacp/wait'),
})
export type InboxPage = z.output<typeof InboxPage>

export const list = method({
  name: 'cacp/inbox/list',
  summary:
    'List what your repository has to do, oldest first, what nobody waits for last, each with the call that does it.',
  access: 'read',
  params: InboxParams,
  result: InboxPage,
  example: {
    params: { limit: 10 },
    result: {
      items: [
        {
          id: EXAMPLE_ITEM_ID,
          kind: 'answer_contract',
          projectId: EXAMPLE.projectId,
          projectName: 'User Auth Feature',
          about: { kind: 'contract', id: EXAMPLE.contractId, name: 'Get User Profile', version: 1 },
          from: { repo: 'backend-api', agentId: EXAMPLE.agentId },
          why: '«backend-api» proposed version 1 and needs an answer: agree, request_change or reject',
          since: EXAMPLE.time,
          state: '5f0c1d2e3a4b5c6d',
          next: {
            method: 'cacp/contract/respond',
            params: {
              projectId: EXAMPLE.projectId,
              contractId: EXAMPLE.contractId,
              action: 'agree',
              version: 1,
            },
            fill: ['action'],
          },
        },
      ],
      waitingFor: [],
      count: 1,
      cursor: '0f5a1c9e7d3b.42',
    },
  },
}).serve(({ inbox }, query, call) =>
  withReceipts(call, inbox.list({ ...query, withReviews: true }, call.env), ({ items }) =>
    items.map(({ projectId, about: { kind, id } }) => ({ projectId, kind, id })),
  ),
)

const ItemId = z
  .string()
  .min(1)
  .max(300)
  .describe('id of an item, as cacp/inbox/list shows it, or id or name of what it is about')

const TakeRequest = z.object({
  itemId: ItemId,
  session: Name.optional().describe(
    'what the others know you by, and may take it again; default: a new name, which the answer tells',
  ),
  minutes: z.int().min(1).max(1440).optional().describe('how long; default: the setting takeMinutes, 30'),
})
export type TakeRequest = z.output<typeof TakeRequest>

const TakeAnswer = z.object({
  itemId: z.string(),
  status: z.literal('taken'),
  by: z.string(),
  until: z.string().describe('unless it is done or acked before'),
  hint: z.string().optional(),
})
export type TakeAnswer = z.output<typeof TakeAnswer>

export const take = method({
  name: 'cacp/inbox/take',
  summary: 'Tell the other sessions of your repository that you work on an item, for a while.',
  access: 'write',
  params: TakeRequest,
  result: TakeAnswer,
  example: {
    params: { itemId: EXAMPLE_ITEM_ID, session: 'claude 4711' },
    result: {
      itemId: EXAMPLE_ITEM_ID,
      status: 'taken',
      by: 'claude 4711',
      until: '2026-11-16T09:30:00.000000Z',
    },
  },
}).serve(({ inbox }, request, { env }) => inbox.take(request, env))

const AckRequest = z.object({ itemId: ItemId, undo: Flag.describe('show it again') })
export type AckRequest = z.output<typeof AckRequest>

const AckAnswer = z.object({
  itemId: z.string(),
  status: z.enum(['hidden', 'shown']),
  state: z.string().describe('as long as the item has this state, it stays so'),
})
export type AckAnswer = z.output<typeof AckAnswer>

export const ack = method({
  name: 'cacp/inbox/ack',
  summary: 'Hide an item of your inbox until it changes, and give it back if it was taken.',
  access: 'write',
  params: AckRequest,
  result: AckAnswer,
  example: {
    params: { itemId: EXAMPLE_ITEM_ID },
    result: { itemId: EXAMPLE_ITEM_ID, status: 'hidden', state: '5f0c1d2e3a4b5c6d' },
  },
}).serve(({ inbox }, request, { env }) => inbox.ack(request, env))
