import * as z from 'zod'
import { NextCall } from '../../protocol/next-call.ts'
import { listOf, Texts } from '../../protocol/words.ts'
import { type Form, type Rollout, RULES, SIDES, type Verdict as VerdictWord } from '../interface/model.ts'

const FORMS = ['http', 'rpc', 'event', 'model', 'typescript', 'graphql', 'protobuf', 'opaque'] as const
const VERDICTS = ['compatible', 'breaking', 'unknown'] as const
const ROLLOUTS = ['any', 'provider_first', 'consumers_first', 'together'] as const

const FormWord = z.enum(FORMS satisfies readonly Form[])
export const Verdict = z.enum(VERDICTS satisfies readonly VerdictWord[])
const RolloutWord = z.enum(ROLLOUTS satisfies readonly Rollout[])
const Against = z.object({ version: z.int() })

/** What a change does to one repo that consumes a contract. */
const RepoReview = z
  .object({
    repo: z.string().describe('its name'),
    side: z.enum(SIDES).describe('as it said, else as its role says'),
    against: Against.describe('the newest version that it implemented, else the one in force'),
    verdict: Verdict,
    because: Texts.describe('fingerprints of the changes that make the verdict'),
    site: z.string().optional().describe('where it uses the first of them, as it said'),
    missing: z.string().optional().describe('of unknown: what would have to be known'),
    next: NextCall.optional().describe('the call by which this repo says what is missing'),
    accepted: listOf(z.object({ fingerprint: z.string(), by: z.string(), at: z.string() }))
      .optional()
      .describe(
        'changes that it took on itself, who said so and when; they hold for what it is compared with',
      ),
  })
  .meta({ id: 'RepoReview' })
export type RepoReview = z.output<typeof RepoReview>
export type AcceptedChange = NonNullable<RepoReview['accepted']>[number]

/** What is said about content, and about its difference from what it is compared with. */
export const ContractReview = z
  .object({
    form: FormWord.describe('what the content is understood as; opaque: it is not understood'),
    why: z.string().optional().describe('of opaque content: why it is not understood'),
    against: Against.optional().describe('what it is compared with'),
    verdict: Verdict.optional().describe(
      'the worst for the repos that consume it, or, where none is known, for consumers that stay as they are; left out where there is nothing to compare with',
    ),
    rollout: RolloutWord.optional().describe('who has to go first'),
    changes: listOf(
      z.object({
        at: z.string().describe('such as response.200.body.email; empty: all of it'),
        kind: z.string(),
        say: z.string(),
        fingerprint: z.string().describe('by which the change is known, whatever it is called'),
        verdict: Verdict,
        breaks: Texts.optional().describe('names of the repos that it breaks'),
        against: Against.optional().describe('an older version, which those repos still have'),
      }),
    ).describe('at most 20, the worst first'),
    repos: listOf(RepoReview)
      .optional()
      .describe('what it does to each repo that consumes the contract, but the one that proposes it'),
    missing: Texts.optional().describe('of unknown: what would have to be known'),
    findings: listOf(z.object({ rule: z.enum(RULES), at: z.string(), say: z.string() })).describe(
      'at most 10: what could be said better in the new content; none of it is a refusal',
    ),
    truncated: z.boolean().optional().describe('there are more changes or findings'),
  })
  .meta({ id: 'Review' })
export type ContractReview = z.output<typeof ContractReview>
export type ToldChange = ContractReview['changes'][number]

/** In the results of calls that negotiate. */
export const ReviewField = ContractReview.optional().describe(
  'what is proposed beside what is in force; left out where there is nothing to say',
)
