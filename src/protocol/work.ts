import type { JsonObject } from './json/json.ts'
import type { Stamp } from './stamp.ts'

export const WORK_STATUSES = ['sending', 'running', 'completed', 'failed', 'canceled'] as const
export type WorkStatusWord = (typeof WORK_STATUSES)[number]

/** Work that this repository asked the agent of another one to do. */
export interface Work {
  /** The protocol's task_id. */
  readonly work_id: string
  readonly request_id: string
  readonly trace_id: string
  /** Of the peer that does it. */
  readonly agent_id: string
  readonly repo_name: string
  readonly work_type: string
  readonly parameters: JsonObject
  readonly hints: WorkHints
  readonly custom_fields: JsonObject
  /** The contract that the result is recorded on. */
  readonly contract: { readonly project_id: string; readonly contract_id: string } | null
  /** Agent ID of whoever had it sent. */
  readonly asked_by: string
  readonly status: WorkStatusWord
  /** The version that both sides speak, once it is known. */
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
  /** The context packet that tells the result. */
  readonly packet_id: string | null
  /** Counts what changed of it, so that one can wait for more. */
  readonly updates: number
}

export interface WorkHints {
  readonly max_duration_seconds?: number | undefined
  readonly max_memory_mb?: number | undefined
}

export interface WorkStep {
  readonly number: number
  readonly name: string
  readonly status: string
  readonly output: string
}

export interface WorkOutcome {
  readonly is_success: boolean
  readonly exit_code: number
  readonly output: string
  /** Parts of a long output that never came; the output is its end then. */
  readonly missing: readonly { readonly start: number; readonly end: number }[]
  readonly resources_used: JsonObject
  /** Which go at it this is the result of, there. */
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
