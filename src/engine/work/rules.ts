import { BREAKER_RULES, type BreakerRules } from '../replicate/peer/breaker.ts'

/** Every interval and bound of delegated work; the document gives most of the defaults. */
export interface WorkRules {
  /** An agent that says nothing for so long is taken for hung, unless a hint allows the work more. */
  readonly silenceMillis: number
  /** The waits before each attempt. */
  readonly retryMillis: readonly number[]
  readonly breaker: BreakerRules
  /** How long a look at an agent's card or health may take. */
  readonly probeMillis: number
  /** Work under way at the same time. */
  readonly atOnce: number
  /** Work that has ended is forgotten, oldest first, when it is more, or told more characters, than these. */
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
