import type { JsonObject } from '../protocol/json/json.ts'

/** The daemon that the tools call, in this process or over a connection. */
export type CallMethod = (method: string, params: JsonObject, options?: CallOptions) => Promise<JsonObject>

export interface CallOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined
}
