import type { Caller } from '../../domain/env.ts'
import type { FollowOptions, RunFilter, Runs, StartOptions, Turn } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import { type Dialect, fingerprintOf, type RunRequest } from '../../protocol/run/request.ts'
import { type Asker, hasEnded, type Run } from '../../protocol/run/run.ts'
import type { RunHead } from '../ports/run-ports.ts'
import { INTERRUPTED } from './failures.ts'
import { RunReading } from './reading.ts'
import { askerOf, callerOf, isSameAsker, maySeeRun, type Record, recalled, requestKey } from './record.ts'
import { expired } from './retention.ts'
import { RUN_BOUNDS } from './rules.ts'
import { Workshop, type WorkshopDeps } from './workshop.ts'

/** Where all dialects end: starts runs, lets them be followed, and keeps what became of them. */
export class RunEngine implements Runs, AsyncDisposable {
  readonly #deps: WorkshopDeps
  readonly #workshop: Workshop
  readonly #reading: RunReading
  /** Oldest first. */
  readonly #records = new Map<string, Record>()
  readonly #byRequest = new Map<string, { readonly runId: string; readonly begun: Promise<Record> }>()

  private constructor(deps: WorkshopDeps) {
    this.#deps = deps
    this.#workshop = new Workshop(deps, {
      history: ({ run }) => this.#turns(run),
      ended: () => this.#forgetOld(),
    })
    this.#reading = new RunReading({ ...deps, workshop: this.#workshop })
  }

  /** Takes up what an earlier life left: what was at work then is now interrupted. */
  static async open(deps: WorkshopDeps): Promise<RunEngine> {
    const engine = new RunEngine(deps)
    for (const stored of await deps.files.load()) {
      const { record, hasEnd } = recalled(stored)
      if (!hasEnd) await engine.#workshop.interrupt(record)
      const { run } = record
      engine.#records.set(run.run_id, record)
      engine.#byRequest.set(keyOf(run), { runId: run.run_id, begun: Promise.resolve(record) })
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
    const runner = await this.#deps.agents.choose(request, caller)
    // Somebody may have asked for the same meanwhile.
    if (this.#byRequest.has(key)) return this.start(request, caller, options)
    if (options.oneAtATime === true) this.#assertIdle(request, caller)
    const { clock } = this.#deps
    const head: RunHead = { run_id: clock.newId(), request, fingerprint, asked_by, created_at: clock.now() }
    const begun = this.#workshop.begin(head, runner, options)
    this.#byRequest.set(key, { runId: head.run_id, begun })
    try {
      const record = await begun
      this.#records.set(head.run_id, record)
      return { run: shown(record), isNew: true }
    } catch (error) {
      this.#byRequest.delete(key)
      throw error
    }
  }

  get(runId: string, caller: Caller): Run {
    return shown(this.#recordOf(runId, caller))
  }

  find(dialect: Dialect, requestId: string, caller: Caller): Run | undefined {
    const key = requestKey(askerOf(caller), dialect, requestId)
    const record = this.#records.get(this.#byRequest.get(key)?.runId ?? '')
    return record === undefined ? undefined : shown(record)
  }

  async result(runId: string, caller: Caller): Promise<RunResult> {
    return this.#reading.sum(this.#recordOf(runId, caller))
  }

  follow(runId: string, caller: Caller, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
    const record = this.#recordOf(runId, caller)
    return this.#whileLetIn(caller, options, (how) => this.#reading.events(record, how))
  }

  followLots(
    runId: string,
    caller: Caller,
    options: FollowOptions = {},
  ): AsyncGenerator<readonly RunEvent[]> {
    const record = this.#recordOf(runId, caller)
    return this.#whileLetIn(caller, options, (how) => this.#reading.lots(record, how))
  }

  async news(
    runId: string,
    caller: Caller,
    options: { after: number; waitMillis: number },
  ): Promise<readonly RunEvent[]> {
    const found = await this.#reading.news(this.#recordOf(runId, caller), options)
    this.#deps.letIn.assert(caller, REST)
    return found
  }

  list(
    { session_id, status, dialect, limit = RUN_BOUNDS.listed }: RunFilter,
    caller: Caller,
  ): readonly Run[] {
    const found: Run[] = []
    for (const record of [...this.#records.values()].reverse()) {
      const run = shown(record)
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
    const record = this.#recordOf(runId, caller)
    record.live?.attempt.cancel(reason)
    await record.live?.ended
    return shown(record)
  }

  async retry(runId: string, caller: Caller): Promise<Run> {
    const record = this.#recordOf(runId, caller)
    await this.#workshop.retry(record)
    return shown(record)
  }

  history(sessionId: string, caller: Caller): Promise<readonly Turn[]> {
    return this.#turnsOf((run) => run.request.session_id === sessionId && maySeeRun(run, caller))
  }

  workTypes(caller: Caller): readonly string[] {
    return this.#deps.agents.workTypes(caller)
  }

  /** What is at work is told to stop, and can be tried again in the next life. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#workshop.stop(INTERRUPTED)
  }

  #whileLetIn<Told>(
    caller: Caller,
    options: FollowOptions,
    tell: (options: FollowOptions) => AsyncIterable<Told>,
  ): AsyncGenerator<Told> {
    const { signal } = options
    return this.#deps.letIn.during({ caller, what: REST, signal }, (until) =>
      tell({ ...options, signal: until }),
    )
  }

  async #again(
    record: Record,
    { fingerprint, asked_by, options }: { fingerprint: string; asked_by: Asker; options: StartOptions },
  ): Promise<Run> {
    const { request_id } = record.run.request
    if (record.fingerprint !== fingerprint)
      throw new Fault(
        'idempotency_conflict',
        `request_id: ${request_id} was used before for another request`,
        {
          next: 'Use a new request_id for a new request',
          data: { field: 'request_id' },
        },
      )
    if (options.retryFailed === true && record.run.failure?.retryable === true) {
      // It may be let in by something else than the first time, which then decides for how long it is done.
      record.run = { ...record.run, asked_by }
      await this.#workshop.retry(record)
    }
    return shown(record)
  }

  #recordOf(runId: string, caller: Caller): Record {
    const record = this.#records.get(runId)
    if (record !== undefined && maySeeRun(record.run, caller)) return record
    throw new Fault('not_found', `No run ${runId.slice(0, 100)} here`, {
      next: 'List the runs with cacp/run/list',
      data: { runId: runId.slice(0, 100), call: { method: 'cacp/run/list', params: {} } },
    })
  }

  #assertIdle({ session_id, dialect }: RunRequest, caller: Caller): void {
    if (session_id === null) return
    for (const { run } of this.#workshop.atWork()) {
      if (run.request.session_id !== session_id || run.request.dialect !== dialect) continue
      if (isSameAsker(run.asked_by, caller))
        throw new Fault('session_busy', `Session ${session_id.slice(0, 100)} is still at work`, {
          next: 'Wait for its end or cancel it; or use another session',
          data: { runId: run.run_id },
        })
    }
  }

  #turns({ run_id, request, asked_by }: Run): Promise<readonly Turn[]> {
    const { session_id } = request
    if (session_id === null) return Promise.resolve([])
    const asker = callerOf(asked_by)
    return this.#turnsOf(
      (run) =>
        run.run_id !== run_id && run.request.session_id === session_id && isSameAsker(run.asked_by, asker),
    )
  }

  #turnsOf(isMeant: (run: Run) => boolean): Promise<readonly Turn[]> {
    const meant = [...this.#records.values()].filter(({ run }) => hasEnded(run) && isMeant(run))
    return this.#reading.turns(meant.slice(-RUN_BOUNDS.turns))
  }

  #forgetOld(): void {
    for (const { run } of expired(this.#records.values(), this.#deps.rules, this.#deps.clock.now())) {
      this.#records.delete(run.run_id)
      this.#byRequest.delete(keyOf(run))
      this.#deps.files.remove(run.run_id).catch(this.#deps.report)
    }
  }
}

const REST = 'The rest of this run'

const keyOf = ({ asked_by, request }: Run): string =>
  requestKey(asked_by, request.dialect, request.request_id)

/** As it is at this moment. */
function shown({ run, live }: Record): Run {
  return live === undefined ? run : { ...run, last_sequence: live.log.sequence }
}

function assertBounds(request: RunRequest): void {
  const { requestLength } = RUN_BOUNDS
  // It is a variable of the command's environment, which takes neither the one nor the other.
  if (request.work_type.length > LIMITS.nameLength || /\p{Cc}/u.test(request.work_type))
    throw new Fault(
      'invalid_params',
      `work_type: must be at most ${LIMITS.nameLength} characters and none of control`,
      { data: { field: 'work_type' } },
    )
  if (JSON.stringify(request).length > requestLength)
    throw new Fault('too_large', `The request is larger than ${requestLength / 1024} KiB`, {
      next: 'Share large material as a file and name it in the request',
    })
}
