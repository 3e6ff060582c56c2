import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { isDiskFull, systemCode } from '../system-code.ts'

/** What callers are told when something could not be kept. No paths here: these travel. */

export const quotaReached = (limitBytes: number) =>
  new Fault(
    'storage_full',
    `The store has reached its quota of ${limitBytes} bytes; nothing of this call was kept.`,
    {
      next: 'Ask the operator of this daemon to raise the quota, then try again. Reading goes on.',
    },
  )

/** The disk did not take it, because it is full or fails; what it took of it has been taken back. */
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

/** Tells failures of the disk in these words. What else goes wrong stays as it is, also that a file is not there. */
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

export const entityTooLarge = (kind: string, id: string, bytes: number) =>
  new Fault(
    'too_large',
    `The ${kind} ${id} would take ${bytes} bytes with its history; at most ${LIMITS.entityBytes} are kept.`,
    { next: 'Begin a new one instead, or share large material as a file.', data: { entity: kind, id } },
  )

export const fileTooLarge = (maxBytes: number) =>
  new Fault('too_large', `The file has more than ${maxBytes} bytes; nothing of it was kept.`, {
    next: 'Split it, or share a link to it.',
    data: { maxBytes },
  })

export const otherFile = (expected: string) =>
  new Fault('unavailable', `What came is not the file ${expected}; nothing of it was kept.`)
