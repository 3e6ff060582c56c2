import type { Peer } from '../../domain/model.ts'
import type { WorkOrder } from '../../methods/runs/work.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work } from '../../protocol/work.ts'
import type { Clock } from '../ports/ports.ts'

/** The three ids stay the same however often the work is sent. */
export function newWork(
  order: WorkOrder,
  {
    peer,
    contract,
    askedBy,
    clock,
  }: { peer: Peer; contract: Work['contract']; askedBy: string; clock: Clock },
): Work {
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
    error: {
      code: 5002,
      message: `${work.agent_id} could not be reached several times in a row, so nothing is sent to it for a while`,
      retryable: true,
      context: { agent_id: work.agent_id, last_heartbeat: lastHeartbeat },
    },
  }
}
