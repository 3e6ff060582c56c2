import type { Caller, Origin } from '../../domain/env.ts'
import type { AnyMethod } from '../../methods/row.ts'

/** What a call says besides its method, wherever it comes from. */
interface CallParts {
  readonly params: unknown
  readonly caller: Caller
  /** From the header; `params.idempotencyKey` says the same. */
  readonly idempotencyKey: string | undefined
  /** Absent for what this daemon fetched itself. */
  readonly origin?: Origin | undefined
  /**
   * Aborted when the caller does not wait for the answer any more. Made when first asked for, because nearly all
   * calls are answered at once; absent where nobody can leave.
   */
  readonly gone?: (() => AbortSignal) | undefined
}

/** A call of a method by its name. */
export interface Call extends CallParts {
  readonly method: string
}

/** A call whose method was found. */
export interface RowCall extends CallParts {
  readonly row: AnyMethod
  /**
   * The params with ids in place of names, for the audit trail. Whoever answers the call sets it; it stays undefined
   * where the call is refused before, or its answer is remembered.
   */
  paramsWithIds?: unknown
}

export type AnswerCall = (call: RowCall) => Promise<unknown>
