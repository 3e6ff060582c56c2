import type { Caller } from '../../domain/env.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work, WorkStatusWord } from '../../protocol/work.ts'
import type { WorkOrder } from './work.ts'

/** Delegates work to the agents of other repositories. */
export interface Works {
  /** Durable when it returns; the work is then sent, followed and, if necessary, retried in the background. */
  send(order: WorkOrder, caller: Caller): Promise<Work>
  get(workId: string): Work
  /** Returns the work when it has changed more often than `after`, has ended, or this much time has passed. */
  wait(workId: string, options: { readonly after: number; readonly millis: number }): Promise<Work>
  /** Newest first. */
  list(filter: { readonly status?: WorkStatusWord | undefined; readonly limit: number }): readonly Work[]
  /** Cancels it here and, if the agent can be reached, there. Work that had ended before is unchanged. */
  cancel(workId: string): Promise<Work>
  /** A message about work that an agent sent without being asked. */
  receive(envelope: Envelope, caller: Caller): Promise<void>
  /** When the agent was last heard of. */
  lastHeartbeat(agentId: string): Stamp | null
}
