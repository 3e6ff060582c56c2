import * as z from 'zod'
import { AgentId } from '../../protocol/agent/id.ts'
import { Fault } from '../../protocol/fault.ts'
import { epochSeconds, type Stamp } from '../../protocol/stamp.ts'
import { Sha256 } from '../../protocol/words.ts'

/**
 * A call over the hub is a message with its caller's signature; the answer comes in parts, each with the signature of
 * whoever was called. So the hub can keep back what is asked and answered, but can neither make it up nor change it.
 */

export const CALL_TYP = 'cacpd-call+jwt'
export const ANSWER_TYP = 'cacpd-answer+jwt'

/** How long a call may be on its way, and by how much two clocks may differ. */
const LIFE_SECONDS = 60
const TOLERANCE_SECONDS = 300
/** A call is remembered until nobody could use it again. */
export const REMEMBERED_SECONDS = LIFE_SECONDS + 2 * TOLERANCE_SECONDS

/** Of what HTTP has beside path and body, what the routes of a daemon read. Everything else stays at the caller. */
const HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'a2a-version',
  'a2a-extensions',
  'x-source-endpoint',
])

const Short = z.string().max(200)
const CallClaims = z.object({
  iss: AgentId,
  aud: AgentId,
  /** The start of the daemon that is called: what was sent to an earlier one is not taken again. */
  boot: Short,
  iat: z.int(),
  exp: z.int(),
  jti: Short.min(1),
  verb: z.enum(['GET', 'POST']),
  path: z
    .string()
    .max(4000)
    .regex(/^\/[\x21-\x7e]*$/),
  headers: z.record(z.string().max(50), z.string().max(1000)),
  sha256: Sha256,
})
export type CallClaims = z.output<typeof CallClaims>

export const callClaimsIn = (claims: unknown): CallClaims | undefined => CallClaims.safeParse(claims).data

export function callTimes(now: Stamp): Pick<CallClaims, 'iat' | 'exp'> {
  const iat = Math.floor(epochSeconds(now))
  return { iat, exp: iat + LIFE_SECONDS }
}

export const carriedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => HEADERS.has(name)),
  )

/** Refuses a call that is of another time, or was made for somebody else. */
export function assertCallIsFor(agentId: string, { aud, iat, exp }: CallClaims, now: Stamp): void {
  if (aud !== agentId) throw refusedCall('it was made for another agent')
  const seconds = epochSeconds(now)
  if (exp - iat > LIFE_SECONDS) throw refusedCall('it would be good for too long')
  if (iat > seconds + TOLERANCE_SECONDS || exp < seconds - TOLERANCE_SECONDS)
    throw refusedCall('it is of another time', 'Compare the clocks of the two machines')
}

export const refusedCall = (why: string, next = 'Make the call anew'): Fault =>
  new Fault('unauthorized', `This call over the hub is not taken: ${why}`, { next })

/**
 * here: the call was taken, or goes on; boot: it has to be made again for this start of the daemon; head: status and
 * type of the answer; data: bytes of it; end: that was all; broken: no more comes, though that was not all.
 */
const AnswerClaims = z.object({
  iss: AgentId,
  aud: AgentId,
  jti: Short,
  /** The place of this part in the answer, from 0 on. */
  n: z.int().min(0),
  part: z.enum(['here', 'boot', 'head', 'data', 'end', 'broken']),
  sha256: Sha256,
  boot: Short.optional(),
  status: z.int().min(100).max(599).optional(),
  type: Short.optional(),
})
export type AnswerClaims = z.output<typeof AnswerClaims>

export const answerClaimsIn = (claims: unknown): AnswerClaims | undefined =>
  AnswerClaims.safeParse(claims).data

/** What the caller says meanwhile: how many bytes it has read by now, or that it wants no more. */
export const WANTS_NO_MORE = 'abort'
export const hasRead = (bytes: number): string => `read ${bytes}`
export function readIn(text: string): number | undefined {
  const bytes = /^read (\d{1,15})$/.exec(text)?.[1]
  return bytes === undefined ? undefined : Number(bytes)
}
