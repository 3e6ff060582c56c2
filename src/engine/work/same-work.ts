import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import { wrongField } from '../../protocol/fault.ts'
import type { Work } from '../../protocol/work.ts'

/** A message about some work has to name its request and its task; otherwise it is about other work. */
export function assertAbout(work: Work, { type, request_id, payload }: Envelope): void {
  if (type === 'work_request')
    throw wrongField('type', 'must be work_status, work_result or error, because the work was asked for here')
  if (request_id !== work.request_id)
    throw wrongField('request_id', `must be ${work.request_id}, which was sent`)
  const { task_id } = payload
  if (typeof task_id === 'string' && task_id.toLowerCase() !== work.work_id)
    throw wrongField('payload.task_id', `must be ${work.work_id}, the task of this request`)
}
