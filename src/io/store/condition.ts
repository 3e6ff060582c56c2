import type { StoreProblem, Timers } from '../../engine/ports/ports.ts'
import { Fault } from '../../protocol/fault.ts'
import { isDiskFull, systemCode } from '../system/code.ts'
import type { Quota } from './quota.ts'
import type { StoreLog } from './store-log.ts'

/** How soon a disk that took nothing is tried again, when nobody writes meanwhile. */
const LOOK_MILLIS = 5000

export interface ConditionDeps {
  readonly quota: Quota
  readonly timers: Timers
  readonly log: StoreLog
  /** Throws when the disk takes no more data. */
  readonly assertRoom: () => Promise<void>
}

/** Why nothing can be written at the moment, for /health and the log. It goes away by itself when the cause does. */
export class Condition {
  readonly #deps: ConditionDeps
  #diskProblem: StoreProblem | undefined
  #isFull = false
  /** By how much the last commit wanted to grow that the quota did not allow. */
  #refusedGrowth = 0
  #stopLooking: () => void = () => {}
  #isClosed = false
  #looking: Promise<void> | undefined

  constructor(deps: ConditionDeps) {
    this.#deps = deps
  }

  get problem(): StoreProblem | undefined {
    const { quota } = this.#deps
    if (this.#diskProblem !== undefined) return this.#diskProblem
    return quota.isExceeded(this.#refusedGrowth) ? quotaProblem(quota.limit) : undefined
  }

  /** Looks whether there is room, and again until there is. One look at a time tells all who ask. */
  look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    try {
      await this.#deps.assertRoom()
      // That there is room says nothing about a disk that fails: only a write does.
      if (this.#isFull) this.#note(undefined)
    } catch (error) {
      this.#note(error)
    }
  }

  /** Notes what comes of a write. */
  async during(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      // What only a restart ends is told by the journal.
      const { kind, cause } = Fault.from(error)
      if (kind !== 'outcome_unknown' && cause !== undefined) this.#note(cause)
      throw error
    }
    if (this.#diskProblem !== undefined) this.#note(undefined)
  }

  refuseGrowth(bytes: number): void {
    const { quota, log } = this.#deps
    if (this.#refusedGrowth === 0) log.warn(quotaProblem(quota.limit), 'a write was refused')
    this.#refusedGrowth = bytes
  }

  close(): void {
    this.#isClosed = true
    this.#stopLooking()
  }

  #note(failure: unknown): void {
    const { log, timers } = this.#deps
    const before = this.#diskProblem
    this.#isFull = isDiskFull(failure)
    this.#diskProblem = failure === undefined ? undefined : problemOf(failure)
    this.#stopLooking()
    if (this.#isFull && !this.#isClosed) this.#stopLooking = timers.after(LOOK_MILLIS, () => void this.look())
    if (this.#diskProblem === undefined) log.info({}, 'the disk takes data again, and so does the daemon')
    else if (this.#diskProblem.message !== before?.message)
      log.warn(
        this.#isFull ? this.#diskProblem : { ...this.#diskProblem, err: failure },
        'nothing is written',
      )
  }
}

function problemOf(cause: unknown): StoreProblem {
  if (isDiskFull(cause))
    return {
      message: 'The disk of the data directory is full: nothing is written, reading goes on',
      next: 'Free some space on it; writing resumes by itself',
    }
  const code = systemCode(cause)
  return {
    message: `The disk of the data directory failed to take the last write${code === undefined ? '' : ` (${code})`}; reading goes on`,
    next: 'Check the disk; the next write is tried all the same',
  }
}

const quotaProblem = (limit: number): StoreProblem => ({
  message: `The store has reached its quota of ${limit} bytes: what would make it grow is refused, reading goes on`,
  next: 'Raise quotaBytes in config.json and start the daemon anew',
})

/** What nothing but a restart ends. */
export const FAILED_FOR_GOOD: StoreProblem = {
  message: 'The disk failed to save a write: nothing more is written until a restart, reading goes on',
  next: 'Check the disk, then start the daemon anew: `cacpd down`, `cacpd up -d`',
  needsRestart: true,
}
