import type { Peer } from '../../domain/model.ts'
import type { WorkOrder } from '../../methods/runs/work.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import { wrongField } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work } from '../../protocol/work.ts'
import type { Clock } from '../ports/ports.ts'
import { absent } from './endings.ts'

interface Origin extends Pick<Work, 'contract'> {
  readonly peer: Peer
  readonly askedBy: string
  readonly clock: Clock
}

/** The three ids stay the same however often the work is sent. */
export function newWork(order: WorkOrder, { peer, contract, askedBy, clock }: Origin): Work {
  return {
    work_id: clock.newId(),
    request_id: clock.newId(),
    trace_id: clock.newId(),
    agent_id: peer.agent_id,
    repo_name: peer.repo_name,
    work_type: order.workType,
    parameters: order.parameters,
    hints: order.hints,
    custom_fields: order.customFields,
    contract,
    asked_by: askedBy,
    status: 'sending',
    protocol_version: null,
    sends: 0,
    last_attempt: null,
    progress: 0,
    step: null,
    created_at: clock.now(),
    ended_at: null,
    result: null,
    error: null,
    packet_id: null,
    updates: 0,
  }
}

/** The failed work for an agent whose breaker is open: nothing was sent. */
export function refusedByBreaker(work: Work, now: Stamp, lastHeartbeat: Stamp | null): Work {
  return {
    ...work,
    status: 'failed',
    ended_at: now,
    updates: 1,
    error: absent(
      `${work.agent_id} could not be reached several times in a row, so nothing is sent to it for a while`,
      work.agent_id,
      lastHeartbeat,
    ).error,
  }
}

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
