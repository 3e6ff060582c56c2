import type { Caller } from '../../domain/env.ts'
import { type EndEvent, isEnd, type RunEnd } from '../../protocol/run/event.ts'
import type { Asker, Run, RunStatus } from '../../protocol/run/run.ts'
import type { RunHead, StoredRun } from '../ports/run-ports.ts'
import type { Attempt } from './attempt.ts'
import { INTERRUPTED, NOT_KEPT } from './failures.ts'
import type { RunLog } from './run-log.ts'

/** A run as the engine keeps it. `run` is what is shown, replaced whenever anything of it changes. */
export interface Record {
  run: Run
  readonly fingerprint: string
  /** What it takes on disk. */
  bytes: number
  /** The sequence number before the latest attempt's first event. */
  before: number
  readonly cancelWhenUnwatched: boolean
  watchers: number
  /** Stops the wait for a reader. */
  unwatch: () => void
  /** While it is at work. */
  live: Live | undefined
  /** While another attempt is being prepared. */
  retrying: Promise<void> | undefined
}

export interface Live {
  readonly log: RunLog
  readonly attempt: Attempt
  /** When the end is written and shown. */
  readonly ended: Promise<void>
}

export const askerOf = ({ kind, agentId, repoName, credential, isConfigured }: Caller): Asker => ({
  kind,
  agent_id: agentId,
  repo_name: repoName,
  ...(credential === undefined ? {} : { credential }),
  ...(isConfigured === undefined ? {} : { is_configured: isConfigured }),
})

/** As whom a run is done: it sees what its asker may see. */
export const callerOf = ({ kind, agent_id, repo_name, credential, is_configured }: Asker): Caller => ({
  kind: kind as Caller['kind'],
  agentId: agent_id,
  repoName: repo_name,
  ...(credential === undefined ? {} : { credential }),
  ...(is_configured === undefined ? {} : { isConfigured: is_configured }),
})

export const isSameAsker = (asker: Asker, caller: Caller): boolean =>
  asker.kind === caller.kind && asker.agent_id === caller.agentId

export const maySeeRun = ({ asked_by }: Run, caller: Caller): boolean =>
  caller.kind === 'operator' || isSameAsker(asked_by, caller)

/** What makes two requests the same one. */
export const requestKey = (asker: Asker, dialect: string, requestId: string): string =>
  JSON.stringify([asker.kind, asker.agent_id, dialect, requestId])

export function newRun({ run_id, request, asked_by, created_at }: RunHead, runner: string): Run {
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

export function endedRun(run: Run, end: EndEvent): Run {
  const failure =
    end.type === 'failed'
      ? { kind: end.kind, message: end.message, retryable: end.retryable, data: end.data }
      : null
  const status: RunStatus = end.type
  return { ...run, status, failure, ended_at: end.at, last_sequence: end.sequence, attempt: end.attempt }
}

/** A run from an earlier life of the daemon; without an end of its own it still has to get one. */
export function recalled({ head, bytes, started, last }: StoredRun): { record: Record; hasEnd: boolean } {
  const about = started?.type === 'started' ? started : { attempt: 1, runner: 'unknown', sequence: 1 }
  const base: Run = {
    ...newRun(head, about.runner),
    attempt: about.attempt,
    last_sequence: last?.sequence ?? 0,
  }
  const hasEnd = last !== undefined && isEnd(last)
  const record: Record = {
    run: hasEnd ? endedRun(base, last) : base,
    fingerprint: head.fingerprint,
    bytes,
    before: about.sequence - 1,
    cancelWhenUnwatched: false,
    watchers: 0,
    unwatch: () => {},
    live: undefined,
    retrying: undefined,
  }
  return { record, hasEnd }
}

/** The end of a run whose file does not tell it. */
export function lastWord({ status, failure, attempt, ended_at, created_at, last_sequence }: Run): EndEvent {
  const when = { sequence: last_sequence, at: ended_at ?? created_at }
  const measured = { attempt, duration_ms: 0, exit_code: null, cpu_ms: null }
  if (status === 'canceled') return { type: 'canceled', reason: 'canceled', ...measured, ...when }
  return { type: 'failed', ...(failure ?? NOT_KEPT), ...measured, ...when }
}

/** The end that nobody wrote, because the daemon was gone. */
export function interruption(attempt: number): RunEnd {
  const measured = { attempt, duration_ms: 0, exit_code: null, cpu_ms: null }
  return { type: 'failed', ...INTERRUPTED, retryable: true, data: {}, ...measured }
}
