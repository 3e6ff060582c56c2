import type { Caller } from '../../domain/env.ts'
import type { Obstacle } from '../../domain/person/tasks.ts'
import type { Envelope } from '../../protocol/chiffon/envelope.ts'
import type { Exchange } from '../../protocol/run/content.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { Dialect, RunRequest } from '../../protocol/run/request.ts'
import type { Run, RunStatus } from '../../protocol/run/run.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work, WorkStatusWord } from '../../protocol/work.ts'
import type { WorkOrder } from './work.ts'

/**
 * The one way to ask this repository's agent for anything. Every dialect's door works through it alone:
 *
 *     const request = dialect.toRun(body)                          // pure: src/dialects/<name>/
 *     const { run } = await runs.start(request, caller, options)   // durable when this returns
 *     for await (const events of runs.follow(run.run_id, caller, { signal })) send(events.map(dialect.encode))
 *
 * A caller sees its own runs, the operator all; of others nobody learns that they exist (`not_found`).
 * Whatever is thrown is a Fault. After the start nothing is thrown any more: the run ends with an event. Only a
 * caller that loses access meanwhile gets a Fault, within a second, and its run is canceled.
 */
export interface Runs {
  /**
   * Starts a run, or finds the one that this request_id already started. The same id with another payload is
   * refused (`idempotency_conflict`), so is too much at once (`busy`), an unknown kind of work
   * (`unsupported_work_type`, with `work_type_requested` and `supported_types` as data), and a session that is
   * already at work, where asked for (`session_busy`).
   */
  start(request: RunRequest, caller: Caller, options?: StartOptions): Promise<{ run: Run; isNew: boolean }>
  get(runId: string, caller: Caller): Run
  /** Finds a run by the caller's own id of it. */
  find(dialect: Dialect, requestId: string, caller: Caller): Run | undefined
  result(runId: string, caller: Caller): Promise<RunResult>
  /**
   * The events of its latest attempt: those so far, then more as they come, in lists that are never empty; ends after
   * the end event.
   * Readers hold nothing up: one that is slow reads from disk, one that leaves (signal, or breaking off the
   * loop) only detaches. While nobody is left, see `cancelWhenUnwatched`.
   */
  follow(runId: string, caller: Caller, options?: FollowOptions): AsyncIterable<readonly RunEvent[]>
  /** The next events, a bounded number of them; waits for one when there is none yet. Empty after the end. */
  nextEvents(
    runId: string,
    caller: Caller,
    options: { readonly after: number; readonly waitMillis: number },
  ): Promise<readonly RunEvent[]>
  /** Newest first. */
  list(filter: RunFilter, caller: Caller): readonly Run[]
  /** Returns when the run has ended; a run that had ended before is unchanged. */
  cancel(runId: string, caller: Caller, reason?: string): Promise<Run>
  /** Starts another attempt of a run that failed for a passing reason; others are refused (`conflict`). */
  retry(runId: string, caller: Caller): Promise<Run>
  /** The earlier turns of a session, oldest first: the newest that have ended. */
  history(sessionId: string, caller: Caller): Promise<readonly Turn[]>
  workTypes(caller: Caller): readonly string[]
  /** What keeps work from being done here until a person allows it. */
  obstacles(): Promise<readonly Obstacle[]>
}

export interface StartOptions {
  /** It is canceled when nobody has followed it for a while (`runUnwatchedSeconds`). */
  readonly cancelWhenUnwatched?: boolean
  /** Refused with `session_busy` while another run of the same asker's session is at work. */
  readonly oneAtATime?: boolean
  /** A repeated request whose run failed for a passing reason (`failure.retryable`) begins another attempt. */
  readonly retryFailed?: boolean
}

export interface FollowOptions {
  /** Only events after this sequence number; 0, the default, is from the start of the attempt. */
  readonly after?: number
  readonly signal?: AbortSignal
}

export interface RunFilter {
  readonly session_id?: string | undefined
  readonly status?: RunStatus | undefined
  readonly dialect?: Dialect | undefined
  readonly limit?: number | undefined
}

export interface Turn extends Exchange {
  readonly run_id: string
}

/** Delegates work to the agents of other repositories. */
export interface Works {
  /** Durable when it returns; the work is then sent, followed and, if necessary, retried in the background. */
  send(order: WorkOrder, caller: Caller): Promise<Work>
  get(workId: string): Work
  /** Returns the work when it has changed more often than `after`, has ended, or this much time has passed. */
  wait(workId: string, options: { readonly after: number; readonly millis: number }): Promise<Work>
  /** Newest first. */
  list(filter: { readonly status?: WorkStatusWord | undefined; readonly limit: number }): readonly Work[]
  /** Cancels it here and, if the agent can be reached, there. Work that had ended before is unchanged. */
  cancel(workId: string): Promise<Work>
  /** A message about work that an agent sent without being asked. */
  receive(envelope: Envelope, caller: Caller): Promise<void>
  lastHeartbeat(agentId: string): Stamp | null
}
