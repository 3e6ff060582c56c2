import type { Parts } from '../parts.ts'
import { type BreakerRules, createBreaker } from '../replicate/peer/breaker.ts'

interface AgentBreakerDeps extends Pick<Parts, 'timers'> {
  readonly rules: BreakerRules
  /** Checks the agent's health; rejects when it does not answer. */
  readonly probe: () => Promise<unknown>
}

export type AgentBreaker = ReturnType<typeof createAgentBreaker>

/**
 * Sends no new work to an agent that could not be reached several times in a row. After a pause, the next new work
 * first checks the agent's health: success closes the breaker, failure begins another pause.
 */
export function createAgentBreaker({ rules, timers, probe }: AgentBreakerDeps) {
  const count = createBreaker(rules)
  let isProbeDue = false
  let probing: Promise<boolean> | undefined
  let endPause = () => {}

  return {
    fail(): void {
      const wasOpen = count.isOpen
      count.fail(0)
      if (count.isOpen && !wasOpen) pause()
    },
    succeed,
    /** Whether new work may be sent. Callers that come during a health check wait for its result. */
    async admits(): Promise<boolean> {
      if (!count.isOpen) return true
      if (!isProbeDue) return false
      probing ??= isReached().finally(() => {
        probing = undefined
      })
      return probing
    },
    stop: () => endPause(),
  }

  function succeed(): void {
    endPause()
    isProbeDue = false
    count.succeed()
  }

  async function isReached(): Promise<boolean> {
    try {
      await probe()
      succeed()
      return true
    } catch {
      pause()
      return false
    }
  }

  function pause(): void {
    isProbeDue = false
    endPause()
    endPause = timers.after(rules.openMillis, () => {
      isProbeDue = true
    })
  }
}
