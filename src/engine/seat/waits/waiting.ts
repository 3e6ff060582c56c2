import type { Env } from '../../../domain/env.ts'
import type { Goal } from '../../../domain/inbox/wait-goal.ts'

/** Why a waiting caller checks its goals again: something changed, or its time is over and this is the last check. */
export type Wake = 'changed' | 'over'

/** A caller that waits until one of its goals is reached. */
export class Waiting {
  readonly goals: readonly Goal[]
  readonly env: Env
  /** By goal, the cursor up to which the feed was searched without success. */
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
    // It is checking its goals right now and will do so once more. A last check stays a last check.
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
