import type { FollowOptions, Turn } from '../../methods/runs/service.ts'
import { isEnd, type RunEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type RunResult, RunSum } from '../../protocol/run/fold.ts'
import type { Asker, Run } from '../../protocol/run/run.ts'
import type { AccessWatch } from '../peers/access-watch.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { Problem, RunFile, RunFiles, RunHead, Runner } from '../ports/run-ports.ts'
import { callerOf } from './askers.ts'
import { Attempt } from './attempt.ts'
import type { RunRules } from './rules.ts'
import { RunLog } from './run-log.ts'
import { beginAttempt, endedRun, endOf, interruption, type RunState } from './run-state.ts'

export interface TrackedRunDeps {
  readonly files: RunFiles
  readonly clock: Clock
  readonly timers: Timers
  readonly rules: RunRules
  readonly accessWatch: AccessWatch
  /** For the log of the daemon: what no asker may see. */
  readonly report: (error: unknown) => void
}

/** Who does the work, and what was said in its session before. */
export interface Work {
  readonly runner: Runner
  readonly history: () => Promise<readonly Turn[]>
}

/**
 * The one owner of what changes about a run: its status, the attempt that is at work, its readers. Everybody else
 * gets values from here or calls these methods, and nothing in here calls back.
 */
export class TrackedRun {
  readonly fingerprint: string
  readonly #deps: TrackedRunDeps
  readonly #cancelWhenUnwatched: boolean
  #run: Run
  #bytes: number
  /** The sequence number before the first event of the latest attempt. */
  #before: number
  /** From when an attempt is prepared until its end. */
  #runner: Runner | undefined
  /** While the attempt is at work. */
  #live: { readonly log: RunLog; readonly attempt: Attempt } | undefined
  #ended: Promise<void> = Promise.resolve()
  #readers = 0
  #stopWaitingForReader: () => void = () => {}

  constructor(deps: TrackedRunDeps, { run, fingerprint, bytes, before, cancelWhenUnwatched }: RunState) {
    this.#deps = deps
    this.#run = run
    this.fingerprint = fingerprint
    this.#bytes = bytes
    this.#before = before
    this.#cancelWhenUnwatched = cancelWhenUnwatched
  }

  /** The run as it is at this moment. */
  get run(): Run {
    if (this.#live === undefined) return this.#run
    return { ...this.#run, last_sequence: this.#live.log.sequence }
  }

  /** The size of its file, known when it has ended. */
  get bytes(): number {
    return this.#bytes
  }

  /** Who works on it; undefined when nobody does. */
  get runner(): Runner | undefined {
    return this.#runner
  }

  get isDaemonRunning(): boolean {
    return this.#live !== undefined
  }

  get isRead(): boolean {
    return this.#readers > 0
  }

  /** Resolves when the end of the latest attempt is written and shown. */
  get ended(): Promise<void> {
    return this.#ended
  }

  /** The request is on disk when this resolves, and the work has begun. */
  begin(head: RunHead, work: Work): Promise<void> {
    return this.#start(work, 1, async () => ({ file: await this.#deps.files.create(head), sequence: 0 }))
  }

  retry(work: Work): Promise<void> {
    return this.#start(work, this.#run.attempt + 1, () => this.#deps.files.open(this.#run.run_id))
  }

  /** The same asker may come with another credential, which then decides how long the work may go on. */
  setAsker(asked_by: Asker): void {
    this.#run = { ...this.#run, asked_by }
  }

  /** Resolves when it has ended. */
  cancel(reason: string): Promise<void> {
    this.#live?.attempt.cancel(reason)
    return this.#ended
  }

  fail(problem: Problem): Promise<void> {
    this.#live?.attempt.fail(problem)
    return this.#ended
  }

  /** Gives an end to a run that an earlier process of the daemon left without one. */
  async interrupt(): Promise<void> {
    const { files, clock, report } = this.#deps
    const { run_id: runId, attempt, last_sequence: sequence } = this.#run
    const end = interruption(attempt)
    this.#run = endedRun(this.#run, { ...end, sequence: sequence + 1, at: clock.now() })
    try {
      const { file } = await files.open(runId)
      await this.#writeEnd(this.#logOn(file, sequence), file, end)
    } catch (error) {
      // A disk that takes nothing now is no reason not to start: the next start tries again.
      report(error)
    }
  }

  /** The events of its latest attempt, in batches as there are more. */
  async *follow({ after = 0, signal }: FollowOptions = {}): AsyncGenerator<readonly RunEvent[]> {
    const { log } = this.#live ?? {}
    let seen = Math.max(after, this.#before)
    let hasEnd = false
    this.#addReader()
    try {
      for await (const events of log?.follow(seen, signal) ?? this.#stored(seen, signal)) {
        const last = events.at(-1)
        if (last === undefined) continue
        seen = last.sequence
        hasEnd = isEnd(last)
        yield events
      }
    } catch (error) {
      this.#deps.report(error)
    } finally {
      this.#removeReader()
    }
    // Every reader gets an end, also where the disk did not take it or does not give it back.
    if (!hasEnd && signal?.aborted !== true && seen < this.#run.last_sequence) yield [endOf(this.#run)]
  }

  /** The sum of the events of its latest attempt so far. */
  async result(): Promise<RunResult> {
    const [live, before] = [this.#live, this.#before]
    await live?.log.written()
    const sum = new RunSum()
    for await (const events of live === undefined ? this.follow() : this.#stored(before))
      for (const event of events) if (live === undefined || event.sequence <= live.log.visible) sum.add(event)
    return sum.result
  }

  async *#stored(after: number, signal?: AbortSignal): AsyncGenerator<readonly RunEvent[]> {
    for await (const events of this.#deps.files.read(this.#run.run_id, after)) {
      if (signal?.aborted === true) return
      yield events
    }
  }

  async #start(
    { runner, history }: Work,
    number: number,
    open: () => Promise<{ file: RunFile; sequence: number }>,
  ): Promise<void> {
    const { rules, timers, report } = this.#deps
    const { run_id: runId, request, asked_by, last_sequence } = this.#run
    this.#runner = runner
    try {
      const { file, sequence } = await open()
      const log = this.#logOn(file, sequence)
      await log.start(number, runner.name, last_sequence).catch(async (error: unknown) => {
        await file.close().catch(report)
        throw error
      })
      const asker = callerOf(asked_by)
      const about = { runId, attempt: number, request, asker }
      const attempt = new Attempt({ ...about, runner, log, rules, timers, history, report })
      this.#before = log.sequence - 1
      this.#run = beginAttempt(this.#run, number, runner.name)
      this.#live = { log, attempt }
      this.#ended = this.#work(attempt, log, file).catch(report)
      this.#cancelIfUnread()
    } catch (error) {
      this.#runner = undefined
      throw error
    }
  }

  #logOn(file: RunFile, sequence: number): RunLog {
    const { files, clock, timers } = this.#deps
    return new RunLog({ runId: this.#run.run_id, file, files, clock, timers, sequence })
  }

  async #work(attempt: Attempt, log: RunLog, file: RunFile): Promise<void> {
    const asker = callerOf(this.#run.asked_by)
    const unwatch = this.#deps.accessWatch.watch(asker, () =>
      attempt.cancel('whoever asked for it was shut out'),
    )
    await this.#writeEnd(log, file, await attempt.work().finally(unwatch))
  }

  /** The run has ended before anybody sees its end: whoever sees it may ask for the next one at once. */
  async #writeEnd(log: RunLog, file: RunFile, end: RunEnd): Promise<void> {
    const written = await log.writeEnd(end)
    this.#run = endedRun(this.#run, written)
    this.#bytes = file.size
    this.#live = undefined
    this.#runner = undefined
    this.#stopWaitingForReader()
    await log.showEnd(written)
  }

  #addReader(): void {
    this.#readers++
    this.#stopWaitingForReader()
  }

  #removeReader(): void {
    this.#readers--
    this.#cancelIfUnread()
  }

  #cancelIfUnread(): void {
    if (!this.#cancelWhenUnwatched || this.#readers > 0 || this.#live === undefined) return
    this.#stopWaitingForReader()
    const { timers, rules } = this.#deps
    this.#stopWaitingForReader = timers.after(rules.unwatchedMillis, () =>
      this.#live?.attempt.cancel('nobody followed it any more'),
    )
  }
}
