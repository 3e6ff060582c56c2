import * as z from 'zod'
import { NextCall } from '../../protocol/next-call.ts'
import { listOf, Texts, When } from '../../protocol/words.ts'
import { Finding, Objection } from '../contract/objection.ts'
import { Verdict } from '../contract/review-shape.ts'
import { ITEM_KINDS } from './inbox.ts'

/** What an item, or a wait, is about. */
export const About = z.object({
  kind: z.enum(['project', 'contract', 'packet']),
  id: z.string(),
  name: z.string(),
  version: z.int().optional(),
})
export type About = z.output<typeof About>

/** From the version in force to the proposed one. */
const Change = z.object({
  from: z.int().describe('the version in force'),
  fields: z.string().describe('such as +response.avatar ~path'),
  parties: z.string().optional().describe('such as +mobile-app, where others become parties'),
})
export type Change = z.output<typeof Change>

/** What the proposed version does to the repo that has to answer it. */
const ItemReview = z.object({
  verdict: Verdict,
  against: z.object({ version: z.int() }).describe('what your repository has, or what is in force'),
  breaks: listOf(
    z.object({
      at: z.string(),
      kind: z.string(),
      say: z.string(),
      fingerprint: z.string(),
      site: z.string().optional().describe('where your repository uses it, as it said'),
    }),
  ).describe('what breaks your repository and was not accepted by it, the first 3'),
  more: z.int().optional().describe('how many more'),
  missing: z.string().optional().describe('of unknown: what would have to be known'),
  accept: NextCall.optional().describe('agrees, and takes on what breaks your repository'),
  object: NextCall.optional().describe('asks for another version'),
  expect: NextCall.optional().describe('says what is missing'),
})
export type ItemReview = z.output<typeof ItemReview>

/** A duty as the repo that has it sees it. */
export const InboxItem = z
  .object({
    /** Stays the same as long as there is this to do about this entity. */
    id: z.string(),
    kind: z.enum(ITEM_KINDS),
    projectId: z.string(),
    projectName: z.string(),
    about: About,
    from: z.object({
      repo: z.string(),
      agentId: z.string().nullable(),
      byPerson: z.literal(true).optional().describe('a person there did it, and not the agent'),
    }),
    why: z.string().describe('one sentence; names that others gave stand in «…»'),
    objections: listOf(Objection)
      .optional()
      .describe(
        'of answer_contract and revise_contract: what others wrote against it, the newest 5, long texts cut',
      ),
    change: Change.optional().describe(
      'of answer_contract and revise_contract, where another version is in force: what the proposed one would change',
    ),
    /** Only where an item is shown: it is not part of its state. */
    review: ItemReview.optional().describe(
      'of answer_contract: what the proposed version does to your repository, as a consumer of it',
    ),
    missing: Texts.optional().describe(
      'of start_implementation: names of contracts that have to be in force before, and are not',
    ),
    findings: listOf(Finding)
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
export type InboxItem = z.output<typeof InboxItem>

export const WaitingItem = z.object({
  projectId: z.string(),
  about: About,
  repos: Texts.describe('names of the first 20; empty: any other repo'),
  for: z.string().describe('what they have to do'),
  objectedBy: Texts.optional().describe('names of the first 20 repos that hold something against it'),
  since: When,
})
export type WaitingItem = z.output<typeof WaitingItem>
