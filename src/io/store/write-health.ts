import type { StoreProblem, Timers } from '../../engine/ports/ports.ts'
import { Fault } from '../../protocol/fault.ts'
import { isDiskFull, systemCode } from '../system/code.ts'
import type { Quota } from './quota.ts'
import type { StoreLog } from './store-log.ts'

/** After how long a full disk is checked again when no write has tried it in the meantime. */
const RECHECK_MILLIS = 5000

interface WriteHealthDeps {
  readonly quota: Quota
  readonly timers: Timers
  readonly log: StoreLog
  /** Throws when the disk takes no more data. */
  readonly assertRoom: () => Promise<void>
}

export type WriteHealth = ReturnType<typeof createWriteHealth>

/**
 * Why nothing can be written at the moment, for /health and the log. The problem is cleared as soon as a write
 * succeeds or there is room again.
 */
export function createWriteHealth({ quota, timers, log, assertRoom }: WriteHealthDeps) {
  let diskProblem: StoreProblem | undefined
  let isFull = false
  /** By how many bytes the last commit that the quota refused would have made the store grow. */
  let refusedGrowth = 0
  let stopRechecking = () => {}
  let isClosed = false
  let checking: Promise<void> | undefined

  /** Checks whether the disk has room; while it is full, checks again later. Simultaneous callers share one check. */
  function checkRoom(): Promise<void> {
    checking ??= checkRoomNow().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function checkRoomNow(): Promise<void> {
    try {
      await assertRoom()
      // Free space does not prove that a failing disk works again: only a successful write does.
      if (isFull) note(undefined)
    } catch (error) {
      note(error)
    }
  }

  function note(failure: unknown): void {
    const before = diskProblem
    isFull = isDiskFull(failure)
    diskProblem = failure === undefined ? undefined : problemOf(failure)
    stopRechecking()
    if (isFull && !isClosed) stopRechecking = timers.after(RECHECK_MILLIS, () => void checkRoom())
    if (diskProblem === undefined) log.info({}, 'the disk takes data again, and so does the daemon')
    else if (diskProblem.message !== before?.message)
      log.warn(isFull ? diskProblem : { ...diskProblem, err: failure }, 'nothing is written')
  }

  return {
    get problem(): StoreProblem | undefined {
      if (diskProblem !== undefined) return diskProblem
      return quota.isExceeded(refusedGrowth) ? quotaProblem(quota.limit) : undefined
    },
    checkRoom,
    /** Runs a write and notes whether it failed or succeeded. */
    async track(write: () => Promise<void>): Promise<void> {
      try {
        await write()
      } catch (error) {
        // `outcome_unknown` lasts until a restart; the journal reports that itself (`isDegraded`).
        const { kind, cause } = Fault.from(error)
        if (kind !== 'outcome_unknown' && cause !== undefined) note(cause)
        throw error
      }
      if (diskProblem !== undefined) note(undefined)
    },
    refuseGrowth(bytes: number): void {
      if (refusedGrowth === 0) log.warn(quotaProblem(quota.limit), 'a write was refused')
      refusedGrowth = bytes
    },
    close(): void {
      isClosed = true
      stopRechecking()
    },
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
