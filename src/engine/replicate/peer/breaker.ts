export type BreakerRules = Readonly<typeof BREAKER_RULES>

/** Chiffon's retry rules, which govern peer calls too: 0, 1, 2, 4 s, and a pause after five failures in a row. */
export const BREAKER_RULES = {
  retryMillis: [0, 1000, 2000, 4000] as readonly number[],
  openAfterFailures: 5,
  openMillis: 60_000,
  /** Share of a delay that chance may add, so that peers of a daemon that comes back do not all call at once. */
  jitter: 0.2,
}

export type Breaker = ReturnType<typeof createBreaker>

/** Counts failures in a row and says how long to wait before the next try. Has no clock of its own. */
export function createBreaker({ retryMillis, openAfterFailures, openMillis, jitter }: BreakerRules) {
  let failures = 0
  const isOpen = () => failures >= openAfterFailures

  return {
    get failures(): number {
      return failures
    },

    /** Open: the next try is a probe of the peer's health, and nothing else is sent before it. */
    get isOpen(): boolean {
      return isOpen()
    },

    succeed(): void {
      failures = 0
    },

    /** Returns the milliseconds to wait; `chance` is a number from 0 to 1. */
    fail(chance: number): number {
      failures += 1
      const delay = isOpen() ? openMillis : (retryMillis[failures - 1] ?? retryMillis.at(-1) ?? openMillis)
      return Math.round(delay * (1 + jitter * chance))
    },
  }
}
