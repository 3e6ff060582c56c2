import * as z from 'zod'
import type { Named } from '../../domain/delivery/receipt.ts'
import { Until } from '../../domain/inbox/wait-goal.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { listOf } from '../../protocol/words.ts'
import { EXAMPLE, method, withReceipts } from '../row.ts'

const CONDITION = { contract: { ...EXAMPLE.target, statusAtLeast: 'agreed' as const } }

const { projectId, packetId } = EXAMPLE
const QUESTION = { question: { projectId, packetId } }
const EXAMPLES: Readonly<Record<string, object>> = {
  contract: CONDITION,
  question: QUESTION,
  project: { project: { projectId, status: 'complete' } },
  gate: { gate: { projectId, repo: 'frontend-app' } },
  inbox: { inbox: {} },
  feed: { feed: { since: EXAMPLE.cursor } },
  any: { any: [CONDITION, QUESTION] },
}

/** A valid example for a caller that sent an invalid one, of the kind that was meant if it can be recognised. */
function exampleFor(field: string): string {
  const [, kind = ''] = /^until(?:\.any\.\d+)?\.(\w+)/.exec(field) ?? []
  const until = EXAMPLES[kind] ?? CONDITION
  return `For example {"until": ${JSON.stringify(until)}, "timeoutSeconds": 50}`
}

const Waited = z.object({
  met: z.boolean(),
  condition: FreeObject.optional().describe('which of the conditions is true'),
  about: FreeObject.optional().describe('what is true now, in short'),
  timedOut: z.literal(true).optional().describe('not true yet: call again'),
  pending: listOf(FreeObject)
    .optional()
    .describe('how it stands with what is not true yet: whose turn it is since when, and who acted last'),
  stopping: z.literal(true).optional().describe('the daemon stops: call again when it is back'),
  cursor: z
    .string()
    .describe('up to where everything was looked at; for cacp/feed/read and {"feed": {"since"}}'),
})
export type Waited = z.output<typeof Waited>

export const wait = method({
  name: 'cacp/wait',
  summary:
    'Wait until something is true: answers at once if it is, else when it becomes so or the time is over.',
  access: 'read',
  params: z.object({
    until: Until.describe('what to wait for: exactly one of these keys'),
    timeoutSeconds: z.int().min(1).max(600).default(50),
  }),
  result: Waited,
  example: {
    params: { until: CONDITION, timeoutSeconds: 50 },
    result: {
      met: true,
      condition: CONDITION,
      about: {
        ...EXAMPLE.target,
        name: 'Get User Profile',
        status: 'agreed',
        version: 1,
        inForce: EXAMPLE.inForce,
        updatedAt: EXAMPLE.time,
      },
      cursor: EXAMPLE.nextCursor,
    },
  },
  hint: exampleFor,
}).serve((services, { until, timeoutSeconds }, call) => {
  const { env, gone } = call
  const waited = services.waits.until(until, { env, millis: timeoutSeconds * 1000, gone })
  return withReceipts(call, waited, ({ about }) => (about === undefined ? [] : namedIn(about)))
})

/** The contract, or the answer to the question, that the result contains. */
function namedIn(about: JsonObject): Named[] {
  const text = (key: string) => (typeof about[key] === 'string' ? about[key] : '')
  const projectId = text('projectId')
  return [
    { projectId, kind: 'contract', id: text('contractId'), of: text('updatedAt') },
    { projectId, kind: 'packet', id: text('answerId'), of: text('at') },
  ].filter(({ id }) => id !== '')
}
