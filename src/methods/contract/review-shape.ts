import { z } from 'zod'
import { type Form, type Rollout, RULES, type Verdict } from '../../domain/interface/model.ts'

const FORMS = [
  'http',
  'rpc',
  'event',
  'model',
  'typescript',
  'graphql',
  'protobuf',
  'opaque',
] as const satisfies readonly Form[]
const VERDICTS = ['compatible', 'breaking', 'unknown'] as const satisfies readonly Verdict[]
const ROLLOUTS = [
  'any',
  'provider_first',
  'consumers_first',
  'together',
] as const satisfies readonly Rollout[]

export const ReviewShape = z
  .object({
    form: z.enum(FORMS).describe('what the content is understood as; opaque: it is not understood'),
    why: z.string().optional().describe('of opaque content: why it is not understood'),
    against: z.object({ version: z.int() }).optional().describe('what it is compared with'),
    verdict: z
      .enum(VERDICTS)
      .optional()
      .describe('for consumers that stay as they are; left out where there is nothing to compare with'),
    rollout: z.enum(ROLLOUTS).optional().describe('who has to go first'),
    changes: z
      .array(
        z.object({
          at: z.string().describe('such as response.200.body.email; empty: all of it'),
          kind: z.string(),
          say: z.string(),
          fingerprint: z.string().describe('by which the change is known, whatever it is called'),
          verdict: z.enum(VERDICTS),
        }),
      )
      .readonly()
      .describe('at most 20, the worst first'),
    missing: z.array(z.string()).readonly().optional().describe('of unknown: what would have to be known'),
    findings: z
      .array(z.object({ rule: z.enum(RULES), at: z.string(), say: z.string() }))
      .readonly()
      .describe('at most 10: what could be said better in the new content; none of it is a refusal'),
    truncated: z.boolean().optional().describe('there are more changes or findings'),
  })
  .meta({ id: 'Review' })

/** In the results of calls that negotiate. */
export const ReviewField = ReviewShape.optional().describe(
  'what is proposed beside what is in force; left out where there is nothing to say',
)
