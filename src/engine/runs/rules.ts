import { Fault, wrongField } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { RunRequest } from '../../protocol/run/request.ts'

/** The bounds of runs that operators can change by settings (`settings.ts`). */
export interface RunRules {
  /** Runs at work at the same time, whoever does them. */
  readonly atOnce: number
  /** How long a run may take, unless its hint says less. */
  readonly maxMillis: number
  /** A run without events for so long gets a heartbeat event. */
  readonly heartbeatMillis: number
  /** A run that is canceled when unwatched is canceled after so long without a reader. */
  readonly unwatchedMillis: number
  /** The most bytes of all events of a run on disk. */
  readonly runBytes: number
  /** Ended runs are kept, oldest forgotten first, while they are within all three. */
  readonly keptRuns: number
  readonly keptMillis: number
  readonly keptBytes: number
}

const MIB = 1024 * 1024

export const RUN_BOUNDS = {
  /** JSON text of a request. */
  requestLength: 4 * MIB,
  /** Characters of one delta; longer ones are cut in pieces. */
  deltaLength: 64 * 1024,
  /** JSON text of any other event. */
  eventLength: MIB,
  /** Text of events that are kept in memory for readers that keep up; others read from disk. */
  recentLength: 256 * 1024,
  /** Text of events that wait for the disk before the runner has to wait too. */
  unwrittenLength: 256 * 1024,
  /** How long a runner may take to stop after the signal. */
  stopMillis: 10_000,
  /** How many ended runs of a session are its history, and how long their text may be. */
  turns: 20,
  turnsLength: 2 * MIB,
  listed: 100,
  /** The length of the events in one answer as JSON, and how long it waits for more after the first of them. */
  newsLength: 512 * 1024,
  newsMillis: 20,
} as const

/** The bounds of a request, whatever its dialect. */
export function assertBounds(request: RunRequest): void {
  const { requestLength } = RUN_BOUNDS
  // The kind of work becomes a variable of the command's environment, which takes no control characters.
  if (request.work_type.length > LIMITS.nameLength || /\p{Cc}/u.test(request.work_type))
    throw wrongField('work_type', `must be at most ${LIMITS.nameLength} characters and none of control`)
  if (JSON.stringify(request).length > requestLength)
    throw new Fault('too_large', `The request is larger than ${requestLength / 1024} KiB`, {
      next: 'Share large material as a file and name it in the request',
    })
}
