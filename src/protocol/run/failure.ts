/**
 * Every way a run can end badly once it has started: one row per kind, with what the dialects need to say it.
 * What is refused before the start is a Fault instead (`busy`, `session_busy`, `unsupported_work_type`, …).
 * `domain` is the lower-case ErrorDomain of the Coreason documents.
 */
export const RUN_FAILURES = {
  /** The daemon stopped or crashed while it ran. */
  interrupted: { retryable: true, http: 503, domain: 'system' },
  timeout: { retryable: true, http: 504, domain: 'system' },
  /** More memory than the hint or the configuration allows; `data` has limit_name, available, required. */
  memory_limit: { retryable: true, http: 503, domain: 'system' },
  output_limit: { retryable: false, http: 500, domain: 'system' },
  storage: { retryable: true, http: 507, domain: 'system' },
  /** The agent's command could not be started, ended with a code other than 0, or was killed from outside. */
  agent_failed: { retryable: false, http: 500, domain: 'tool' },
  /** The agent wrote something that is no run event. */
  bad_output: { retryable: false, http: 502, domain: 'tool' },
  /** The parameters turned out to be wrong. */
  invalid_params: { retryable: false, http: 400, domain: 'client' },
  not_found: { retryable: false, http: 404, domain: 'client' },
  internal: { retryable: true, http: 500, domain: 'system' },
} as const satisfies Record<string, { retryable: boolean; http: number; domain: string }>

export type RunFailureKind = keyof typeof RUN_FAILURES

export interface RunFailure {
  readonly kind: RunFailureKind
  /** One sentence for the caller: no stack, path or secret. */
  readonly message: string
  readonly retryable: boolean
  readonly data: Readonly<Record<string, unknown>>
}
