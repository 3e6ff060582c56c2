import type { Caller, Origin } from '../../domain/env.ts'

/** One call of a method, as any of the doors hands it in. */
export interface Call {
  readonly method: string
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
  /** Told what the params mean: the same, with ids in place of names. Not where the answer is known already. */
  readonly understood?: ((params: unknown) => void) | undefined
}
