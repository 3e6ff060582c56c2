import type { Timers } from '../ports/ports.ts'
import { Breaker, type BreakerRules } from '../replicate/peer/breaker.ts'

export interface AgentBreakerDeps {
  readonly rules: BreakerRules
  readonly timers: Timers
  /** Checks the agent's health; rejects when it does not answer. */
  readonly probe: () => Promise<unknown>
}

/**
 * Sends no new work to an agent that could not be reached several times in a row. After a pause, the next new work
 * first checks the agent's health: success closes the breaker, failure begins another pause.
 */
export class AgentBreaker {
  readonly #deps: AgentBreakerDeps
  readonly #count: Breaker
  #isProbeDue = false
  #probing: Promise<boolean> | undefined
  #forget = () => {}

  constructor(deps: AgentBreakerDeps) {
    this.#deps = deps
    this.#count = new Breaker(deps.rules)
  }

  fail(): void {
    const wasOpen = this.#count.isOpen
    this.#count.fail(0)
    if (this.#count.isOpen && !wasOpen) this.#pause()
  }

  succeed(): void {
    this.#forget()
    this.#isProbeDue = false
    this.#count.succeed()
  }

  /** Whether new work may be sent. Callers that come during a health check wait for its result. */
  async admits(): Promise<boolean> {
    if (!this.#count.isOpen) return true
    if (!this.#isProbeDue) return false
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  stop(): void {
    this.#forget()
  }

  async #probe(): Promise<boolean> {
    try {
      await this.#deps.probe()
      this.succeed()
      return true
    } catch {
      this.#pause()
      return false
    }
  }

  #pause(): void {
    this.#isProbeDue = false
    this.#forget()
    this.#forget = this.#deps.timers.after(this.#deps.rules.openMillis, () => {
      this.#isProbeDue = true
    })
  }
}
