import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { RunRequest } from '../../protocol/run/request.ts'

/** The bounds of runs; the ones that operators move are settings of the same meaning (`settings.ts`). */
export interface RunRules {
  /** Runs at work at the same time, whoever does them. */
  readonly atOnce: number
  /** How long a run may take, unless its hint says less. */
  readonly maxMillis: number
  /** A run that is silent for so long tells that it is still at work. */
  readonly heartbeatMillis: number
  /** How long nobody may follow a run that is canceled when unwatched. */
  readonly unwatchedMillis: number
  /** What all events of a run may take on disk. */
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
  /** How long a runner has to stop, when it is told to. */
  stopMillis: 10_000,
  /** Ended runs of a session that count as its history, and what their text may be. */
  turns: 20,
  turnsLength: 2 * MIB,
  listed: 100,
  /** JSON text of the events that are told at once, and how long after the first of them. */
  newsLength: 512 * 1024,
  newsMillis: 20,
} as const

/** The bounds of a request, whatever its dialect. */
export function assertBounds(request: RunRequest): void {
  const { requestLength } = RUN_BOUNDS
  // The kind of work becomes a variable of the command's environment, which takes no control characters.
  if (request.work_type.length > LIMITS.nameLength || /\p{Cc}/u.test(request.work_type))
    throw new Fault(
      'invalid_params',
      `work_type: must be at most ${LIMITS.nameLength} characters and none of control`,
      { data: { field: 'work_type' } },
    )
  if (JSON.stringify(request).length > requestLength)
    throw new Fault('too_large', `The request is larger than ${requestLength / 1024} KiB`, {
      next: 'Share large material as a file and name it in the request',
    })
}
