import { BREAKER_RULES, type BreakerRules } from '../replicate/peer/breaker.ts'

/** Every interval and limit of delegated work; the document gives most of the defaults. */
export interface WorkRules {
  /** An agent that sends nothing for so long counts as hung, unless a hint allows the work more time. */
  readonly silenceMillis: number
  /** How long to wait before each attempt. */
  readonly retryMillis: readonly number[]
  readonly breaker: BreakerRules
  /** How long a request for an agent's card or health may take. */
  readonly probeMillis: number
  /** How much work may be running at the same time. */
  readonly atOnce: number
  /** Ended work is removed, oldest first, beyond this number of works or this many characters of output. */
  readonly kept: number
  readonly keptLength: number
}

export const WORK_RULES: WorkRules = {
  silenceMillis: 30_000,
  retryMillis: [0, 1000, 2000, 4000],
  breaker: BREAKER_RULES,
  probeMillis: 10_000,
  atOnce: 200,
  kept: 1000,
  keptLength: 64 * 1024 * 1024,
}
