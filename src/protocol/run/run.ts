import type { Stamp } from '../stamp.ts'
import type { RunFailure } from './failure.ts'
import type { RunRequest } from './request.ts'

export const RUN_STATUSES = ['created', 'in_progress', 'completed', 'failed', 'canceled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** A request and the state of its work. The answer is in its events (`fold.ts` sums them up). */
export interface Run {
  readonly run_id: string
  readonly request: RunRequest
  readonly asked_by: Asker
  readonly status: RunStatus
  /** 1, or more if it was interrupted or failed and was tried again. */
  readonly attempt: number
  readonly runner: string
  readonly created_at: Stamp
  readonly ended_at: Stamp | null
  readonly last_sequence: number
  /** Why it failed, if it did. */
  readonly failure: RunFailure | null
}

/** The caller that started a run. Only it and the operator can see the run. */
export interface Asker {
  readonly kind: string
  readonly agent_id: string
  readonly repo_name: string | null
  /** A public id of the key or token that it showed; absent for callers without one. */
  readonly credential?: string
  /** The credential is one of the configuration. */
  readonly is_configured?: true
}

export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean =>
  status !== 'created' && status !== 'in_progress'
