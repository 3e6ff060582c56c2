import type { StartOptions, Turn } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import type { LetIn } from '../peers/let-in.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { Problem, RunFile, RunFiles, RunHead, Runner } from '../ports/run-ports.ts'
import type { Agents } from './agents.ts'
import { Attempt } from './attempt.ts'
import { callerOf, endedRun, interruption, newRun, type Record } from './record.ts'
import type { RunRules } from './rules.ts'
import { RunLog } from './run-log.ts'

export interface WorkshopDeps {
  readonly files: RunFiles
  readonly agents: Agents
  readonly clock: Clock
  readonly timers: Timers
  readonly rules: RunRules
  readonly letIn: LetIn
  /** For the log: what no asker may see. */
  readonly report: (error: unknown) => void
}

interface WorkshopHooks {
  readonly history: (record: Record) => Promise<readonly Turn[]>
  readonly ended: () => void
}

/** Stands where an event was that is lost. */
const LOST = { type: 'heartbeat', note: 'lost' } as const

/** Where runs are at work: never too many at once, each from its first event to its last. */
export class Workshop {
  readonly #deps: WorkshopDeps
  readonly #hooks: WorkshopHooks
  readonly #atWork = new Map<Record, Runner>()
  /** What is about to be at work. */
  readonly #starting = new Set<Promise<unknown>>()
  #isStopping = false

  constructor(deps: WorkshopDeps, hooks: WorkshopHooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  atWork(): Iterable<Record> {
    return this.#atWork.keys()
  }

  /** The request is on disk when this resolves, and the work has begun. */
  begin(head: RunHead, runner: Runner, options: StartOptions): Promise<Record> {
    return this.#starts(this.#begin(head, runner, options))
  }

  async #begin(
    head: RunHead,
    runner: Runner,
    { cancelWhenUnwatched = false }: StartOptions,
  ): Promise<Record> {
    const record: Record = {
      run: newRun(head, runner.name),
      fingerprint: head.fingerprint,
      bytes: 0,
      before: 0,
      cancelWhenUnwatched,
      watchers: 0,
      unwatch: () => {},
      live: undefined,
      retrying: undefined,
    }
    this.#takePlace(record, runner)
    try {
      const file = await this.#deps.files.create(head)
      await this.#launch(record, runner, { file, attempt: 1, sequence: 0 })
      return record
    } catch (error) {
      this.#atWork.delete(record)
      throw error
    }
  }

  /** Another attempt of a run that ended for a passing reason. Whoever else asks for it meanwhile joins. */
  async retry(record: Record): Promise<void> {
    if (record.live !== undefined) return
    record.retrying ??= this.#starts(this.#retry(record)).finally(() => {
      record.retrying = undefined
    })
    await record.retrying
  }

  async #retry(record: Record): Promise<void> {
    const { run } = record
    if (run.failure?.retryable !== true)
      throw new Fault(
        'conflict',
        `Run ${run.run_id} ${run.status === 'failed' ? 'failed for good' : `is ${run.status}`}`,
        {
          next: 'Send a new request to have the work done again',
          data: { runId: run.run_id, status: run.status },
        },
      )
    const runner = await this.#deps.agents.choose(run.request, callerOf(run.asked_by))
    this.#takePlace(record, runner)
    try {
      const { file, sequence } = await this.#deps.files.open(run.run_id)
      await this.#launch(record, runner, { file, attempt: run.attempt + 1, sequence })
    } catch (error) {
      this.#atWork.delete(record)
      throw error
    }
  }

  /** A run whose end nobody wrote gets one. */
  async interrupt(record: Record): Promise<void> {
    const { files, clock, timers, report } = this.#deps
    const { run_id: runId, attempt, last_sequence: sequence } = record.run
    const end = interruption(attempt)
    record.run = endedRun(record.run, { ...end, sequence: sequence + 1, at: clock.now() })
    try {
      const { file } = await files.open(runId)
      await new RunLog({ runId, file, files, clock, timers, sequence }).end(end, (event) => {
        record.run = endedRun(record.run, event)
        record.bytes = file.size
      })
    } catch (error) {
      // A disk that takes nothing now is no reason not to start: the next start tries again.
      report(error)
    }
  }

  watch(record: Record): void {
    record.watchers++
    record.unwatch()
  }

  unwatch(record: Record): void {
    record.watchers--
    this.#waitForReader(record)
  }

  /** Ends everything, in the same way for all, and takes nothing new. */
  async stop(problem: Problem): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#starting)
    const live = [...this.#atWork.keys()].flatMap((record) => record.live ?? [])
    for (const { attempt } of live) attempt.fail(problem)
    await Promise.all(live.map(({ ended }) => ended))
  }

  /** A stop waits for it, or it would go on after the stop. */
  #starts<Result>(starting: Promise<Result>): Promise<Result> {
    this.#starting.add(starting)
    const forget = () => this.#starting.delete(starting)
    starting.then(forget, forget)
    return starting
  }

  /** At once, so that two who come together do not take the same place. */
  #takePlace(record: Record, runner: Runner): void {
    if (this.#isStopping)
      throw new Fault('unavailable', 'The daemon is stopping', { next: 'Try again later' })
    const { atOnce } = this.#deps.rules
    const same = [...this.#atWork.values()].filter(({ name }) => name === runner.name).length
    const limit = same >= runner.limit ? runner.limit : atOnce
    if (same >= runner.limit || this.#atWork.size >= atOnce)
      throw new Fault(
        'busy',
        `${limit} ${limit === 1 ? 'run is' : 'runs are'} at work already, which is the most at once`,
        {
          next: 'Try again in a while',
          data: { limit_name: 'concurrent_runs', available: 0, required: 1, limit },
        },
      )
    this.#atWork.set(record, runner)
  }

  async #launch(
    record: Record,
    runner: Runner,
    on: { file: RunFile; attempt: number; sequence: number },
  ): Promise<void> {
    const { files, clock, timers, rules, report } = this.#deps
    const { run } = record
    const { file, attempt: number, sequence } = on
    const log = new RunLog({ runId: run.run_id, file, files, clock, timers, sequence })
    try {
      // What was told and never written leaves its numbers behind: none is given twice, and none left out.
      while (log.sequence < run.last_sequence) await log.append(LOST)
      const started = { type: 'started', attempt: number, runner: runner.name } as const
      // That there is a second attempt must not be forgotten; of the first one the head tells already.
      await (number === 1 ? log.append(started) : log.begin(started))
    } catch (error) {
      await file.close().catch(report)
      throw error
    }
    const attempt = new Attempt({
      runId: run.run_id,
      attempt: number,
      request: run.request,
      asker: callerOf(run.asked_by),
      runner,
      log,
      rules,
      timers,
      history: () => this.#hooks.history(record),
      report,
    })
    record.before = log.sequence - 1
    record.run = {
      ...run,
      status: 'in_progress',
      attempt: number,
      runner: runner.name,
      ended_at: null,
      failure: null,
    }
    const ended = this.#finish(record, file, log, attempt).catch(report)
    record.live = { log, attempt, ended }
    this.#waitForReader(record)
  }

  async #finish(record: Record, file: RunFile, log: RunLog, attempt: Attempt): Promise<void> {
    const asker = callerOf(record.run.asked_by)
    const unwatch = this.#deps.letIn.watch(asker, () => attempt.cancel('whoever asked for it was shut out'))
    const end = await attempt.work().finally(unwatch)
    await log.end(end, (event) => {
      record.run = endedRun(record.run, event)
      record.bytes = file.size
      record.live = undefined
      record.unwatch()
      this.#atWork.delete(record)
    })
    this.#hooks.ended()
  }

  #waitForReader(record: Record): void {
    if (!record.cancelWhenUnwatched || record.watchers > 0 || record.live === undefined) return
    record.unwatch()
    const { timers, rules } = this.#deps
    record.unwatch = timers.after(rules.unwatchedMillis, () =>
      record.live?.attempt.cancel('nobody followed it any more'),
    )
  }
}
