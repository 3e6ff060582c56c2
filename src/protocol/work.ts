import type { JsonObject } from './json/json.ts'
import type { Stamp } from './stamp.ts'

export const WORK_STATUSES = ['sending', 'running', 'completed', 'failed', 'canceled'] as const
export type WorkStatusWord = (typeof WORK_STATUSES)[number]

/** Work that this repository delegated to the agent of another one. */
export interface Work {
  /** The protocol's task_id. */
  readonly work_id: string
  readonly request_id: string
  readonly trace_id: string
  /** The agent ID of the peer that does it. */
  readonly agent_id: string
  readonly repo_name: string
  readonly work_type: string
  readonly parameters: JsonObject
  readonly hints: WorkHints
  readonly custom_fields: JsonObject
  /** The contract on which the result is recorded. */
  readonly contract: { readonly project_id: string; readonly contract_id: string } | null
  /** Agent ID of whoever sent it. */
  readonly asked_by: string
  readonly status: WorkStatusWord
  /** The protocol version that both sides speak, once it is known. */
  readonly protocol_version: string | null
  /** How often the request was sent. */
  readonly sends: number
  readonly last_attempt: Stamp | null
  readonly progress: number
  readonly step: WorkStep | null
  readonly created_at: Stamp
  readonly ended_at: Stamp | null
  readonly result: WorkOutcome | null
  readonly error: WorkError | null
  /** The context packet with the result. */
  readonly packet_id: string | null
  /** Counts the changes of the work, so that a caller can wait for the next one. */
  readonly updates: number
}

interface WorkHints {
  readonly max_duration_seconds?: number | undefined
  readonly max_memory_mb?: number | undefined
}

interface WorkStep {
  readonly number: number
  readonly name: string
  readonly status: string
  readonly output: string
}

export interface WorkOutcome {
  readonly is_success: boolean
  readonly exit_code: number
  readonly output: string
  /** Missing parts of a long output; the output is then only its end. */
  readonly missing: readonly { readonly start: number; readonly end: number }[]
  readonly resources_used: JsonObject
  /** The attempt of the other agent that gave this result. */
  readonly attempt: number
}

export interface WorkError {
  readonly code: number
  readonly message: string
  readonly retryable: boolean
  readonly context: JsonObject
}

export const isOver = ({ status }: Pick<Work, 'status'>): boolean =>
  status !== 'sending' && status !== 'running'
