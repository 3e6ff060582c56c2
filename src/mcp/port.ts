import type { JsonObject } from '../protocol/json/json.ts'

/** What stands behind the tools: the daemon, in this process or at the other end of a connection. */
export type CallMethod = (method: string, params: JsonObject, options?: CallOptions) => Promise<JsonObject>

export interface CallOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}
