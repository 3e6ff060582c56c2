import { BREAKER_RULES } from '../replicate/peer/breaker.ts'

export type WorkRules = Readonly<typeof WORK_RULES>

/** Every interval and limit of delegated work; the document gives most of the defaults. */
export const WORK_RULES = {
  /** An agent that sends nothing for so long counts as hung, unless a hint allows the work more time. */
  silenceMillis: 30_000,
  /** How long to wait before each attempt. */
  retryMillis: [0, 1000, 2000, 4000] as readonly number[],
  breaker: BREAKER_RULES,
  /** How long a request for an agent's card or health may take. */
  probeMillis: 10_000,
  /** How much work may be running at the same time. */
  atOnce: 200,
  /** Ended work is removed, oldest first, beyond this number of works or this many characters of output. */
  kept: 1000,
  keptLength: 64 * 1024 * 1024,
}
