import type { Caller } from '../../domain/env.ts'
import type { FollowOptions, RunFilter, Runs, StartOptions, Turn } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import { type Dialect, fingerprintOf, type RunRequest } from '../../protocol/run/request.ts'
import { type Asker, hasEnded, type Run } from '../../protocol/run/run.ts'
import type { RunHead } from '../ports/run-ports.ts'
import { askerOf, callerOf, isSameAsker, maySeeRun, requestKey } from './askers.ts'
import { INTERRUPTED } from './failures.ts'
import { expired } from './retention.ts'
import { assertBounds, RUN_BOUNDS } from './rules.ts'
import { type NextOptions, nextEvents, turnsOf } from './run-reader.ts'
import { RunStarter, type RunStarterDeps } from './run-starter.ts'
import { storedState } from './run-state.ts'
import { TrackedRun } from './tracked-run.ts'

/** Where all dialects end: starts runs, lets them be followed, and keeps what became of them. */
export class RunEngine implements Runs, AsyncDisposable {
  readonly #deps: RunStarterDeps
  readonly #starter: RunStarter
  /** By id, oldest first. */
  readonly #runs = new Map<string, TrackedRun>()
  /** By the key of the request, from when it is accepted. */
  readonly #byRequest = new Map<string, { readonly runId: string; readonly begun: Promise<TrackedRun> }>()

  private constructor(deps: RunStarterDeps) {
    this.#deps = deps
    this.#starter = new RunStarter(deps)
  }

  /** Takes up the runs of earlier processes of the daemon: those that were at work then are now interrupted. */
  static async open(deps: RunStarterDeps): Promise<RunEngine> {
    const engine = new RunEngine(deps)
    for (const stored of await deps.files.load()) {
      const tracked = new TrackedRun(deps, storedState(stored))
      if (!hasEnded(tracked.run)) await tracked.interrupt()
      const { run_id: runId } = tracked.run
      engine.#runs.set(runId, tracked)
      engine.#byRequest.set(keyOf(tracked.run), { runId, begun: Promise.resolve(tracked) })
    }
    engine.#forgetOld()
    return engine
  }

  async start(
    request: RunRequest,
    caller: Caller,
    options: StartOptions = {},
  ): Promise<{ run: Run; isNew: boolean }> {
    const asked_by = askerOf(caller)
    const key = requestKey(asked_by, request.dialect, request.request_id)
    const fingerprint = fingerprintOf(request)
    const known = this.#byRequest.get(key)
    if (known !== undefined)
      return { run: await this.#again(await known.begun, { fingerprint, asked_by, options }), isNew: false }
    assertBounds(request)
    const runner = await this.#deps.runners.choose(request, caller)
    // Somebody may have asked for the same meanwhile.
    if (this.#byRequest.has(key)) return this.start(request, caller, options)
    if (options.oneAtATime === true) this.#assertIdle(request, caller)
    const { clock } = this.#deps
    const head: RunHead = { run_id: clock.newId(), request, fingerprint, asked_by, created_at: clock.now() }
    const begun = this.#starter.begin(head, { runner, history: () => this.#turnsBefore(head) }, options)
    this.#byRequest.set(key, { runId: head.run_id, begun })
    try {
      const tracked = await begun
      this.#runs.set(head.run_id, tracked)
      this.#forgetOldAfter(tracked)
      return { run: tracked.run, isNew: true }
    } catch (error) {
      this.#byRequest.delete(key)
      throw error
    }
  }

  get(runId: string, caller: Caller): Run {
    return this.#visible(runId, caller).run
  }

  find(dialect: Dialect, requestId: string, caller: Caller): Run | undefined {
    const key = requestKey(askerOf(caller), dialect, requestId)
    return this.#runs.get(this.#byRequest.get(key)?.runId ?? '')?.run
  }

  async result(runId: string, caller: Caller): Promise<RunResult> {
    return this.#visible(runId, caller).result()
  }

  follow(runId: string, caller: Caller, options: FollowOptions = {}): AsyncGenerator<readonly RunEvent[]> {
    const tracked = this.#visible(runId, caller)
    return this.#deps.accessWatch.during({ caller, what: REST, signal: options.signal }, (signal) =>
      tracked.follow({ ...options, signal }),
    )
  }

  async nextEvents(runId: string, caller: Caller, options: NextOptions): Promise<readonly RunEvent[]> {
    const found = await nextEvents(this.#visible(runId, caller), options, this.#deps.timers)
    this.#deps.accessWatch.assert(caller, REST)
    return found
  }

  list(
    { session_id, status, dialect, limit = RUN_BOUNDS.listed }: RunFilter,
    caller: Caller,
  ): readonly Run[] {
    const found: Run[] = []
    for (const { run } of [...this.#runs.values()].reverse()) {
      if (found.length >= limit) break
      if (!maySeeRun(run, caller)) continue
      if (session_id !== undefined && run.request.session_id !== session_id) continue
      if (status !== undefined && run.status !== status) continue
      if (dialect !== undefined && run.request.dialect !== dialect) continue
      found.push(run)
    }
    return found
  }

  async cancel(runId: string, caller: Caller, reason = 'canceled by request'): Promise<Run> {
    const tracked = this.#visible(runId, caller)
    await tracked.cancel(reason)
    return tracked.run
  }

  async retry(runId: string, caller: Caller): Promise<Run> {
    const tracked = this.#visible(runId, caller)
    await this.#retry(tracked)
    return tracked.run
  }

  history(sessionId: string, caller: Caller): Promise<readonly Turn[]> {
    return this.#turns((run) => run.request.session_id === sessionId && maySeeRun(run, caller))
  }

  workTypes(caller: Caller): readonly string[] {
    return this.#deps.runners.workTypes(caller)
  }

  /** Ends all runs that are at work, and starts no other; they can be tried again after the next start. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#starter.stop(INTERRUPTED)
  }

  /** The same request again: answers its run, after another attempt where one is wanted and may help. */
  async #again(
    tracked: TrackedRun,
    { fingerprint, asked_by, options }: { fingerprint: string; asked_by: Asker; options: StartOptions },
  ): Promise<Run> {
    const { request, failure } = tracked.run
    if (tracked.fingerprint !== fingerprint)
      throw new Fault(
        'idempotency_conflict',
        `request_id: ${request.request_id} was used before for another request`,
        {
          next: 'Use a new request_id for a new request',
          data: { field: 'request_id' },
        },
      )
    if (options.retryFailed === true && failure?.retryable === true) {
      tracked.setAsker(asked_by)
      await this.#retry(tracked)
    }
    return tracked.run
  }

  async #retry(tracked: TrackedRun): Promise<void> {
    await this.#starter.retry(tracked, () => this.#turnsBefore(tracked.run))
    this.#forgetOldAfter(tracked)
  }

  #visible(runId: string, caller: Caller): TrackedRun {
    const tracked = this.#runs.get(runId)
    if (tracked !== undefined && maySeeRun(tracked.run, caller)) return tracked
    throw new Fault('not_found', `No run ${runId.slice(0, 100)} here`, {
      next: 'List the runs with cacp/run/list',
      data: { runId: runId.slice(0, 100), call: { method: 'cacp/run/list', params: {} } },
    })
  }

  #assertIdle({ session_id, dialect }: RunRequest, caller: Caller): void {
    if (session_id === null) return
    for (const { run } of this.#starter.atWork()) {
      if (run.request.session_id !== session_id || run.request.dialect !== dialect) continue
      if (isSameAsker(run.asked_by, caller))
        throw new Fault('session_busy', `Session ${session_id.slice(0, 100)} is still at work`, {
          next: 'Wait for its end or cancel it; or use another session',
          data: { runId: run.run_id },
        })
    }
  }

  /** What the asker of this run said in the same session before. */
  #turnsBefore({ run_id, request, asked_by }: RunHead | Run): Promise<readonly Turn[]> {
    const { session_id } = request
    if (session_id === null) return Promise.resolve([])
    const asker = callerOf(asked_by)
    return this.#turns(
      (run) =>
        run.run_id !== run_id && run.request.session_id === session_id && isSameAsker(run.asked_by, asker),
    )
  }

  #turns(isMeant: (run: Run) => boolean): Promise<readonly Turn[]> {
    const meant = [...this.#runs.values()].filter(({ run }) => hasEnded(run) && isMeant(run))
    return turnsOf(meant.slice(-RUN_BOUNDS.turns))
  }

  #forgetOldAfter(tracked: TrackedRun): void {
    tracked.ended.then(() => this.#forgetOld()).catch(this.#deps.report)
  }

  #forgetOld(): void {
    const { rules, clock, files, report } = this.#deps
    const ended = [...this.#runs.values()].filter(
      (tracked) => tracked.run.ended_at !== null && !tracked.isRead && !this.#starter.isRetrying(tracked),
    )
    for (const { run } of expired(ended, rules, clock.now())) {
      this.#runs.delete(run.run_id)
      this.#byRequest.delete(keyOf(run))
      files.remove(run.run_id).catch(report)
    }
  }
}

const REST = 'The rest of this run'

const keyOf = ({ asked_by, request }: Run): string =>
  requestKey(asked_by, request.dialect, request.request_id)
