import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { RUN_BOUNDS } from './rules.ts'

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
