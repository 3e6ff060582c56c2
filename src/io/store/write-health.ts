import type { StoreProblem, Timers } from '../../engine/ports/ports.ts'
import { Fault } from '../../protocol/fault.ts'
import { isDiskFull, systemCode } from '../system/code.ts'
import type { Quota } from './quota.ts'
import type { StoreLog } from './store-log.ts'

/** After how long a full disk is checked again when no write has tried it in the meantime. */
const RECHECK_MILLIS = 5000

export interface WriteHealthDeps {
  readonly quota: Quota
  readonly timers: Timers
  readonly log: StoreLog
  /** Throws when the disk takes no more data. */
  readonly assertRoom: () => Promise<void>
}

/**
 * Why nothing can be written at the moment, for /health and the log. The problem is cleared as soon as a write
 * succeeds or there is room again.
 */
export class WriteHealth {
  readonly #deps: WriteHealthDeps
  #diskProblem: StoreProblem | undefined
  #isFull = false
  /** By how many bytes the last commit that the quota refused would have made the store grow. */
  #refusedGrowth = 0
  #stopRechecking: () => void = () => {}
  #isClosed = false
  #checking: Promise<void> | undefined

  constructor(deps: WriteHealthDeps) {
    this.#deps = deps
  }

  get problem(): StoreProblem | undefined {
    const { quota } = this.#deps
    if (this.#diskProblem !== undefined) return this.#diskProblem
    return quota.isExceeded(this.#refusedGrowth) ? quotaProblem(quota.limit) : undefined
  }

  /** Checks whether the disk has room; while it is full, checks again later. Simultaneous callers share one check. */
  checkRoom(): Promise<void> {
    this.#checking ??= this.#checkRoomNow().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #checkRoomNow(): Promise<void> {
    try {
      await this.#deps.assertRoom()
      // Free space does not prove that a failing disk works again: only a successful write does.
      if (this.#isFull) this.#note(undefined)
    } catch (error) {
      this.#note(error)
    }
  }

  /** Runs a write and notes whether it failed or succeeded. */
  async track(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      // `outcome_unknown` lasts until a restart; the journal reports that itself (`isDegraded`).
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
    this.#stopRechecking()
  }

  #note(failure: unknown): void {
    const { log, timers } = this.#deps
    const before = this.#diskProblem
    this.#isFull = isDiskFull(failure)
    this.#diskProblem = failure === undefined ? undefined : problemOf(failure)
    this.#stopRechecking()
    if (this.#isFull && !this.#isClosed)
      this.#stopRechecking = timers.after(RECHECK_MILLIS, () => void this.checkRoom())
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

/** Reported after a failed sync, which only a restart ends. */
export const FAILED_FOR_GOOD: StoreProblem = {
  message: 'The disk failed to save a write: nothing more is written until a restart, reading goes on',
  next: 'Check the disk, then start the daemon anew: `cacpd down`, `cacpd up -d`',
  needsRestart: true,
}
