import * as z from 'zod'
import { NextCall } from '../../protocol/next-call.ts'
import { When } from '../../protocol/words.ts'
import { Delivery } from '../delivery/delivery.ts'
import { About, InboxItem, WaitingItem } from '../inbox/item-shape.ts'

/** What only a person can do: nothing that others wrote may make an agent do it. */
export const TASK_KINDS = [
  'approve_peer',
  'claim_lost',
  'settle_claims',
  'resolve_conflict',
  'trust_config',
  'allow_agent',
  'repair',
] as const

const Trust = z
  .enum(['own', 'approved', 'pending', 'revoked', 'unknown'])
  .describe(
    'own: the agent of this daemon; else what this daemon makes of the other one; unknown: no peer here',
  )
export type Trust = z.output<typeof Trust>

const From = z.object({ repo: z.string(), agentId: z.string().nullable(), trust: Trust })

export const PersonTask = z
  .object({
    /** Stays the same as long as there is this to do. */
    id: z.string(),
    kind: z.enum(TASK_KINDS),
    name: z.string().describe('what it is about; others may have written it'),
    why: z.string().describe('one sentence; names that others gave stand in «…»'),
    since: When.nullable().describe('null: nobody knows since when'),
    projectId: z.string().optional(),
    projectName: z.string().optional(),
    about: About.optional().describe('what it is about in a project'),
    from: From.optional().describe('who caused it'),
    endpoint: z.string().optional().describe('of approve_peer: where it says that it listens'),
    fingerprint: z
      .string()
      .nullable()
      .optional()
      .describe('of approve_peer: six words, the same at both ends; null if it has proven no key'),
    fix: z.string().optional().describe('what to do about it, where no call does it'),
    next: NextCall.optional().describe('the call that does it'),
  })
  .meta({ id: 'PersonTask' })
export type PersonTask = z.output<typeof PersonTask>

/** An item of the agent's inbox, for the person who looks after it. */
export const AgentItem = InboxItem.omit({ from: true })
  .extend({
    from: From,
    overdue: z.boolean().describe('older than the setting escalateMinutes, while somebody waits for it'),
  })
  .meta({ id: 'AgentItem' })
export type AgentItem = z.output<typeof AgentItem>

export const PersonWait = WaitingItem.extend({
  projectName: z.string(),
  delivery: Delivery.shape.state
    .optional()
    .describe('of a contract: how far it has come to the repo that it has come least far to'),
})
export type PersonWait = z.output<typeof PersonWait>
