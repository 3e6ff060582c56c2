import type { Caller } from '../../domain/env.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work, WorkHints, WorkStatusWord } from '../../protocol/work.ts'

export interface WorkOrder {
  /** Agent ID, repository or URL. */
  readonly peer: string
  readonly workType: string
  readonly parameters: JsonObject
  readonly hints: WorkHints
  readonly customFields: JsonObject
  readonly contractId?: string | undefined
}

/** Delegating work to the agents of other repositories. */
export interface Works {
  /** On disk when this returns; it is sent, followed and, where it has to be, tried again by itself. */
  send(order: WorkOrder, caller: Caller): Promise<Work>
  get(workId: string): Work
  /** The work as soon as it changed more often than `after`, has ended, or so much time has passed. */
  wait(workId: string, options: { readonly after: number; readonly millis: number }): Promise<Work>
  /** Newest first. */
  list(filter: { readonly status?: WorkStatusWord | undefined; readonly limit: number }): readonly Work[]
  /** Ends it here, and there where the agent can be told. What had ended before stays as it is. */
  cancel(workId: string): Promise<Work>
  /** A message about some work that an agent sent by itself. */
  receive(envelope: Envelope, caller: Caller): Promise<void>
  /** When the agent was last heard of. */
  lastHeartbeat(agentId: string): Stamp | null
}
