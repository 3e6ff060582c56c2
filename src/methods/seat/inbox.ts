import { z } from 'zod'
import { Objection } from '../../domain/contract/objection.ts'
import { Finding } from '../../domain/contract/verification-notes.ts'
import { ITEM_KINDS } from '../../domain/inbox/inbox.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { NextCall } from '../../protocol/next-call.ts'
import { Name, Texts, When } from '../../protocol/words.ts'
import { Verdict } from '../contract/review-shape.ts'
import { EXAMPLE_AGENT, EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID, EXAMPLE_TIME } from '../examples.ts'
import { method } from '../row.ts'
import { withReceipts } from './with-receipts.ts'

/** What the caller's repos have to do. It is derived from the state; reading it changes nothing. */

const About = z.object({
  kind: z.enum(['project', 'contract', 'packet']),
  id: z.string(),
  name: z.string(),
  version: z.int().optional(),
})

const Item = z
  .object({
    id: z.string(),
    kind: z.enum(ITEM_KINDS),
    projectId: z.string(),
    projectName: z.string(),
    about: About,
    from: z.object({ repo: z.string(), agentId: z.string().nullable() }),
    why: z.string().describe('one sentence; names that others gave stand in «…»'),
    objections: z
      .array(Objection)
      .readonly()
      .optional()
      .describe(
        'of answer_contract and revise_contract: what others wrote against it, the newest 5, long texts cut',
      ),
    change: z
      .object({
        from: z.int().describe('the version in force'),
        fields: z.string().describe('such as +response.avatar ~path'),
        parties: z.string().optional().describe('such as +mobile-app, where others become parties'),
      })
      .optional()
      .describe(
        'of answer_contract and revise_contract, where another version is in force: what the proposed one would change',
      ),
    review: z
      .object({
        verdict: Verdict,
        against: z.object({ version: z.int() }).describe('what your repository has, or what is in force'),
        breaks: z
          .array(
            z.object({
              at: z.string(),
              kind: z.string(),
              say: z.string(),
              fingerprint: z.string(),
              site: z.string().optional().describe('where your repository uses it, as it said'),
            }),
          )
          .readonly()
          .describe('what breaks your repository and was not accepted by it, the first 3'),
        more: z.int().optional().describe('how many more'),
        missing: z.string().optional().describe('of unknown: what would have to be known'),
        accept: NextCall.optional().describe('agrees, and takes on what breaks your repository'),
        object: NextCall.optional().describe('asks for another version'),
        expect: NextCall.optional().describe('says what is missing'),
      })
      .optional()
      .describe('of answer_contract: what the proposed version does to your repository, as a consumer of it'),
    missing: Texts.optional().describe(
      'of start_implementation: names of contracts that have to be in force before, and are not',
    ),
    findings: z
      .array(Finding)
      .readonly()
      .optional()
      .describe(
        'of revise_implementation and verify_contract: what others found, the newest 5, long texts cut',
      ),
    message: z.string().optional().describe('of read_message: what was said, long texts cut'),
    since: When,
    urgency: z
      .literal('low')
      .optional()
      .describe(
        'nobody waits for it now, and cacp/wait {inbox} does not end by it: your objection, your own work',
      ),
    state: z.string().describe('changes when the item does'),
    next: NextCall.describe('the call that does it'),
    acked: z.boolean().optional(),
    taken: z
      .object({ by: z.string(), until: When })
      .optional()
      .describe('a session that works on it; until then nobody else should'),
  })
  .meta({ id: 'InboxItem' })

const Waiting = z.object({
  projectId: z.string(),
  about: About,
  repos: Texts.describe('names of the first 20; empty: any other repo'),
  for: z.string().describe('what they have to do'),
  objectedBy: Texts.optional().describe('names of the first 20 repos that hold something against it'),
  since: When,
})

const EXAMPLE_ITEM_ID = `answer_contract:${EXAMPLE_PROJECT_ID}:${EXAMPLE_CONTRACT_ID}`

const InboxParams = z.object({
  projectId: AnyProjectWord.optional().describe('ID or name: only in this project'),
  limit: z.int().min(0).max(200).default(50).describe('0: only count'),
  includeAcked: z.boolean().default(false).describe('also what was hidden with cacp/inbox/ack'),
})
export interface InboxQuery extends z.output<typeof InboxParams> {
  /** Whether items say what a proposed version does to the repo, for which contracts are compared. */
  readonly withReviews?: boolean
}

export const list = method({
  name: 'cacp/inbox/list',
  summary:
    'List what your repository has to do, oldest first, what nobody waits for last, each with the call that does it.',
  access: 'read',
  params: InboxParams,
  result: z.object({
    items: z.array(Item).readonly(),
    waitingFor: z.array(Waiting).readonly().describe('whom your repository waits for'),
    count: z.int().describe('of all items, also those beyond the limit'),
    cursor: z.string().describe('up to where the state was looked at, for cacp/feed/read and cacp/wait'),
  }),
  example: {
    params: { limit: 10 },
    result: {
      items: [
        {
          id: EXAMPLE_ITEM_ID,
          kind: 'answer_contract',
          projectId: EXAMPLE_PROJECT_ID,
          projectName: 'User Auth Feature',
          about: { kind: 'contract', id: EXAMPLE_CONTRACT_ID, name: 'Get User Profile', version: 1 },
          from: { repo: 'backend-api', agentId: EXAMPLE_AGENT },
          why: '«backend-api» proposed version 1 and needs an answer: agree, request_change or reject',
          since: EXAMPLE_TIME,
          state: '5f0c1d2e3a4b5c6d',
          next: {
            method: 'cacp/contract/respond',
            params: {
              projectId: EXAMPLE_PROJECT_ID,
              contractId: EXAMPLE_CONTRACT_ID,
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

const AckRequest = z.object({
  itemId: ItemId,
  undo: z.boolean().default(false).describe('show it again'),
})
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
