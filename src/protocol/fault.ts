/** Every way a call can fail: one row per kind, one column per protocol that has to express it. */
export const FAULTS = {
  parse_error: { rpc: -32700, http: 400, retryable: false },
  invalid_request: { rpc: -32600, http: 400, retryable: false },
  method_not_found: { rpc: -32601, http: 404, retryable: false },
  invalid_params: { rpc: -32602, http: 400, retryable: false },
  not_found: { rpc: -32602, http: 404, retryable: false },
  unknown_project: { rpc: -32602, http: 404, retryable: true },
  conflict: { rpc: -32602, http: 409, retryable: false },
  not_member: { rpc: -32602, http: 403, retryable: false },
  /** The reader's cursor names a place that this store never had, or no longer has. */
  stale_cursor: { rpc: -32602, http: 410, retryable: false },
  idempotency_conflict: { rpc: -32602, http: 409, retryable: false },
  too_large: { rpc: -32602, http: 413, retryable: false },
  body_too_large: { rpc: -32600, http: 413, retryable: false },
  unsupported_media_type: { rpc: -32600, http: 415, retryable: false },
  bad_headers: { rpc: -32600, http: 400, retryable: false },
  headers_too_large: { rpc: -32600, http: 431, retryable: false },
  method_not_allowed: { rpc: -32600, http: 405, retryable: false },
  /** More at once than this daemon accepts. */
  busy: { rpc: -32000, http: 429, retryable: true },
  session_busy: { rpc: -32000, http: 409, retryable: true },
  unsupported_work_type: { rpc: -32602, http: 400, retryable: false },
  unauthorized: { rpc: -32000, http: 401, retryable: false },
  forbidden: { rpc: -32000, http: 403, retryable: false },
  rate_limited: { rpc: -32000, http: 429, retryable: true },
  storage_full: { rpc: -32000, http: 507, retryable: true },
  outcome_unknown: { rpc: -32000, http: 503, retryable: true },
  unavailable: { rpc: -32000, http: 503, retryable: true },
  internal: { rpc: -32000, http: 500, retryable: true },
} as const satisfies Record<string, { rpc: number; http: number; retryable: boolean }>

export type FaultKind = keyof typeof FAULTS

export interface FaultOptions {
  /** What the caller can do about it; shown with the message. */
  next?: string
  /** Names and ids for programs; never secrets, paths or stacks. */
  data?: Record<string, unknown>
  cause?: unknown
}

/** A failure whose message is meant for the caller. Messages of all other errors are not shown to callers. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly next: string | undefined
  readonly data: Record<string, unknown>

  constructor(kind: FaultKind, message: string, { next, data = {}, cause }: FaultOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    this.next = next
    this.data = data
  }

  /** The only catch-all: keeps the cause for the log and hides it from the caller. */
  static from(thrown: unknown): Fault {
    return thrown instanceof Fault ? thrown : new Fault('internal', 'Server error', { cause: thrown })
  }

  /** The `error.data` of a JSON-RPC answer, and the body of a plain HTTP one. */
  get details(): Record<string, unknown> {
    const { retryable } = FAULTS[this.kind]
    return {
      ...this.data,
      kind: this.kind,
      retryable,
      ...(this.next === undefined ? {} : { next: this.next }),
    }
  }
}

/** The Fault for a field whose value does not fit the state, or the other fields. */
export const wrongField = (field: string, problem: string, { data, ...options }: FaultOptions = {}): Fault =>
  new Fault('invalid_params', `${field}: ${problem}`, { ...options, data: { field, ...data } })
