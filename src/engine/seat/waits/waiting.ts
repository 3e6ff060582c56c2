import type { Env } from '../../../domain/env.ts'
import type { Goal } from '../../../domain/inbox/wait-goal.ts'

/** Why somebody who waits looks again: something changed, or it is the last look. */
export type Wake = 'changed' | 'over'

/** One that waits for the first of its goals. */
export class Waiting {
  readonly goals: readonly Goal[]
  readonly env: Env
  /** Up to where the feed was looked through for a goal, and nothing found. */
  readonly since = new Map<Goal, string>()
  #pending: Wake | undefined
  #resume: ((wake: Wake) => void) | undefined

  constructor(goals: readonly Goal[], env: Env) {
    this.goals = goals
    this.env = env
  }

  wake(wake: Wake): void {
    const resume = this.#resume
    this.#resume = undefined
    if (resume !== undefined) resume(wake)
    // While it looks: once more after that, and nothing takes back that it is the last time.
    else if (this.#pending !== 'over') this.#pending = wake
  }

  next(): Promise<Wake> {
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) return Promise.resolve(pending)
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }
}
