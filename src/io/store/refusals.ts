import { Fault } from '../../protocol/fault.ts'
import { isDiskFull, systemCode } from '../system/code.ts'

/**
 * The faults that callers get when something could not be stored. They are sent over the network, so they contain no
 * paths.
 */

export const quotaReached = (limitBytes: number) =>
  new Fault(
    'storage_full',
    `The store has reached its quota of ${limitBytes} bytes; nothing of this call was kept.`,
    {
      next: 'Ask the operator of this daemon to raise the quota, then try again. Reading goes on.',
    },
  )

/** The disk is full or failed; what was written of this call has been removed again. */
export const notKept = (cause: unknown) =>
  isDiskFull(cause)
    ? new Fault('storage_full', 'The disk took no more data; nothing of this call was kept.', {
        next: 'Free space on the disk of the data directory, then try again. Reading goes on.',
        cause,
      })
    : new Fault('unavailable', 'This could not be written to the disk; nothing of this call was kept.', {
        next: 'Check the data directory and its disk, then try again. Reading goes on.',
        cause,
      })

export const notSigned = (cause: unknown) =>
  new Fault('unavailable', 'This could not be signed in the name of this daemon; nothing of it was kept.', {
    next: 'Try again; if it happens again, look into the log of the daemon and at its identity.json.',
    cause,
  })

/** Calls come faster than the disk can write them. */
export const tooManyWaiting = () =>
  new Fault('busy', 'Too much waits to be written to the disk already; nothing of this call was kept.', {
    next: 'Try again in a moment. Reading goes on.',
  })

/**
 * Turns failures of the disk into these faults. Other errors, and a missing file (ENOENT), are thrown as they are.
 */
export async function onDisk<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    const code = systemCode(error)
    throw code === undefined || code === 'ENOENT' ? error : notKept(error)
  }
}

export const outcomeUnknown = (cause: unknown) =>
  new Fault('outcome_unknown', 'The outcome is unknown: the disk failed while this call was being saved.', {
    next: 'When the daemon has been restarted, retry with the same idempotency key: it is then done exactly once.',
    cause,
  })

export const degraded = () =>
  new Fault('unavailable', 'This daemon takes no writes, because its disk failed to save an earlier one.', {
    next: 'Check the disk and restart the daemon, then try again. Reading goes on.',
  })

export const closed = () =>
  new Fault('unavailable', 'This daemon is shutting down.', { next: 'Try again when it is back.' })

export const fileTooLarge = (maxBytes: number) =>
  new Fault('too_large', `The file has more than ${maxBytes} bytes; nothing of it was kept.`, {
    next: 'Split it, or share a link to it.',
    data: { maxBytes },
  })

export const wrongFile = (expected: string) =>
  new Fault('unavailable', `What came is not the file ${expected}; nothing of it was kept.`)
