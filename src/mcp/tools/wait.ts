import * as z from 'zod'
import { plainJson } from '../../domain/names/quoted.ts'
import { FreeObject, isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { ContractStatus, ProjectStatus } from '../../protocol/words.ts'
import { lines } from '../text.ts'
import { READS, type Turn, tool } from '../tool.ts'
import { contractId, EXAMPLE_TARGET, projectId } from './ids.ts'

/** Some clients give up after 60. */
const DEFAULT_SECONDS = 50
/** The length of one call to the daemon: a connection on which nothing arrives is not trusted for longer. */
const SLICE_SECONDS = 20

const Until = z.strictObject({
  contract: z
    .strictObject({
      projectId,
      contractId,
      statusAtLeast: ContractStatus.optional(),
      versionAbove: z.int().optional(),
    })
    .optional(),
  question: z.strictObject({ projectId, packetId: z.string() }).optional().describe('answered'),
  project: z.strictObject({ projectId, status: ProjectStatus }).optional(),
  inbox: z.strictObject({}).optional().describe('something to do that others wait for'),
  feed: z.strictObject({ since: z.string() }).optional().describe('anything changed after this cursor'),
  any: z.array(FreeObject).optional().describe('several of these: the first one'),
})

export const wait = tool({
  name: 'wait',
  title: 'Wait for another repository',
  description:
    'Wait until something happens elsewhere, instead of asking again and again: one condition in until (default: inbox). Returns as soon as it is true, or not met after timeoutSeconds: then call it again.',
  hints: READS,
  input: z.strictObject({
    until: Until.default({ inbox: {} }),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(600)
      .default(DEFAULT_SECONDS)
      .describe('more only if your client allows'),
  }),
  example: { until: { contract: { ...EXAMPLE_TARGET, statusAtLeast: 'agreed' } }, timeoutSeconds: 50 },
  run: async ({ until, timeoutSeconds }, turn) => {
    const answer = await waited(until, timeoutSeconds, turn)
    const cursor = `cursor: ${answer['cursor']}`
    if (answer['met'] !== true)
      return lines(
        answer['stopping'] === true
          ? 'not met yet: the daemon stops, and the next call finds it again'
          : `not met yet, within ${timeoutSeconds} s`,
        answer['pending'] === undefined ? [] : `now: ${plainJson(answer['pending'])}`,
        cursor,
        `next: wait ${JSON.stringify({ until })}`,
      )
    const { condition, about } = answer
    const [name, input] = lookAfter(condition, about)
    return lines(
      `met: ${plainJson(condition)}`,
      `now: ${plainJson(about)}`,
      cursor,
      `next: ${name} ${plainJson(input)}`,
    )
  },
})

/** The tool that shows the reached state in full. */
function lookAfter(condition: unknown, about: unknown): readonly [string, JsonObject] {
  const { inbox, feed }: JsonObject = isJsonObject(condition) ? condition : {}
  if (inbox !== undefined) return ['inbox', {}]
  if (isJsonObject(feed)) return ['call', { method: 'cacp/feed/read', params: { since: feed['since'] } }]
  const { projectId, contractId, packetId }: JsonObject = isJsonObject(about) ? about : {}
  return ['project', { projectId, contractId, packetId }]
}

async function waited(until: JsonObject, seconds: number, { call, signal }: Turn): Promise<JsonObject> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const left = Math.max(1, Math.ceil((end - performance.now()) / 1000))
    const slice = Math.min(left, SLICE_SECONDS)
    const answer = await call('cacp/wait', { until, timeoutSeconds: slice })
    const isOver = performance.now() + 500 >= end
    if (answer['met'] === true || isOver || signal.aborted) return answer
    // Otherwise it would answer at once again and again.
    if (answer['stopping'] === true) return answer
  }
}
