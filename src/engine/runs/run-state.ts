import { type EndEvent, isEnd, type RunEnd } from '../../protocol/run/event.ts'
import type { RunFailure } from '../../protocol/run/failure.ts'
import type { Run } from '../../protocol/run/run.ts'
import type { Problem, RunHead, StoredRun } from '../ports/run-ports.ts'

/** The failure of a run whose events could not be written to disk: the work has to be done again. */
export const NOT_STORED: RunFailure = {
  kind: 'storage',
  message: 'What it told could not be stored',
  retryable: true,
  data: {},
}

export const INTERRUPTED = {
  kind: 'interrupted',
  message: 'The daemon stopped while it was at work',
} as const satisfies Problem

/** What a tracked run begins with. */
export interface RunState {
  readonly run: Run
  readonly fingerprint: string
  /** The size of its file. */
  readonly bytes: number
  /** The sequence number before the first event of the latest attempt. */
  readonly before: number
  readonly cancelWhenUnwatched: boolean
}

/** The state of a run that was asked for just now. */
export const newState = (head: RunHead, runner: string, cancelWhenUnwatched: boolean): RunState => ({
  run: newRun(head, runner),
  fingerprint: head.fingerprint,
  bytes: 0,
  before: 0,
  cancelWhenUnwatched,
})

/** The state of a run that an earlier process of the daemon left in its file; it may have no end yet. */
export function storedState({ head, bytes, started, last }: StoredRun): RunState {
  const about = started?.type === 'started' ? started : { attempt: 1, runner: 'unknown', sequence: 1 }
  const run: Run = {
    ...newRun(head, about.runner),
    attempt: about.attempt,
    last_sequence: last?.sequence ?? 0,
  }
  return {
    run: last !== undefined && isEnd(last) ? endedRun(run, last) : run,
    fingerprint: head.fingerprint,
    bytes,
    before: about.sequence - 1,
    cancelWhenUnwatched: false,
  }
}

function newRun({ run_id, request, asked_by, created_at }: RunHead, runner: string): Run {
  return {
    run_id,
    request,
    asked_by,
    status: 'created',
    attempt: 1,
    runner,
    created_at,
    ended_at: null,
    last_sequence: 0,
    failure: null,
  }
}

export const beginAttempt = (run: Run, attempt: number, runner: string): Run => ({
  ...run,
  status: 'in_progress',
  attempt,
  runner,
  ended_at: null,
  failure: null,
})

export function endedRun(run: Run, end: EndEvent): Run {
  const { type: status, at: ended_at, sequence: last_sequence, attempt } = end
  const failure =
    end.type === 'failed'
      ? { kind: end.kind, message: end.message, retryable: end.retryable, data: end.data }
      : null
  return { ...run, status, failure, ended_at, last_sequence, attempt }
}

const UNMEASURED = { duration_ms: 0, exit_code: null, cpu_ms: null } as const

/** The end event of an ended run whose file does not have it, because the disk refused or lost it. */
export function endOf({ status, failure, attempt, ended_at, created_at, last_sequence }: Run): EndEvent {
  const rest = { attempt, ...UNMEASURED, sequence: last_sequence, at: ended_at ?? created_at }
  if (status === 'canceled') return { type: 'canceled', reason: 'canceled', ...rest }
  return { type: 'failed', ...(failure ?? NOT_STORED), ...rest }
}

/** The end of an attempt during which the process of the daemon ended. */
export const interruption = (attempt: number): RunEnd => ({
  type: 'failed',
  ...INTERRUPTED,
  retryable: true,
  data: {},
  attempt,
  ...UNMEASURED,
})
