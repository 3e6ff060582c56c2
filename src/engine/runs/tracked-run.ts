import type { FollowOptions } from '../../methods/runs/service.ts'
import { isEnd, type RunEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type RunResult, RunSum } from '../../protocol/run/fold.ts'
import type { Asker, Run } from '../../protocol/run/run.ts'
import type { Parts } from '../parts.ts'
import type { AccessWatch } from '../peers/access-watch.ts'
import type { Problem, RunContext, RunFile, RunFiles, RunHead, Runner } from '../ports/run-ports.ts'
import { callerOf } from './askers.ts'
import { type Attempt, createAttempt } from './attempt.ts'
import type { RunRules } from './rules.ts'
import { createRunLog, type RunLog } from './run-log.ts'
import { beginAttempt, endedRun, endOf, interruption, type RunState } from './run-state.ts'

export interface TrackedRunDeps extends Pick<Parts, 'clock' | 'timers'> {
  readonly files: RunFiles
  readonly rules: RunRules
  readonly accessWatch: AccessWatch
  /** Called when a run has begun or ended an attempt. */
  readonly changed?: ((runId: string) => void) | undefined
  /** For the log of the daemon: what no asker may see. */
  readonly report: (error: unknown) => void
}

/** Who does the work, and what was said in its session before. */
export interface Work {
  readonly runner: Runner
  readonly history: RunContext['history']
}

export type TrackedRun = ReturnType<typeof trackRun>

/**
 * The one owner of what changes about a run: its status, the attempt that is at work, its readers. Everybody else
 * gets values from here or calls these functions, and nothing in here calls back.
 */
export function trackRun(deps: TrackedRunDeps, state: RunState) {
  const { files, clock, timers, rules, accessWatch, changed, report } = deps
  const { fingerprint, cancelWhenUnwatched } = state
  let { run, bytes } = state
  /** The sequence number before the first event of the latest attempt. */
  let before = state.before
  /** From when an attempt is prepared until its end. */
  let runner: Runner | undefined
  /** While the attempt is at work. */
  let live: { readonly log: RunLog; readonly attempt: Attempt } | undefined
  let ended: Promise<void> = Promise.resolve()
  let readers = 0
  let stopWaitingForReader = () => {}

  return {
    fingerprint,
    /** The run as it is at this moment. */
    get run(): Run {
      return live === undefined ? run : { ...run, last_sequence: live.log.sequence }
    },
    /** The size of its file, known when it has ended. */
    get bytes() {
      return bytes
    },
    /** Who works on it; undefined when nobody does. */
    get runner() {
      return runner
    },
    get isDaemonRunning() {
      return live !== undefined
    },
    get isRead() {
      return readers > 0
    },
    /** Resolves when the end of the latest attempt is written and shown. */
    get ended() {
      return ended
    },
    /** The request is on disk when this resolves, and the work has begun. */
    begin: (head: RunHead, work: Work): Promise<void> =>
      start(work, 1, async () => ({ file: await files.create(head), sequence: 0 })),
    retry: (work: Work): Promise<void> => start(work, run.attempt + 1, () => files.open(run.run_id)),
    /** The same asker may come with another credential, which then decides how long the work may go on. */
    setAsker(asked_by: Asker): void {
      run = { ...run, asked_by }
    },
    /** Resolves when it has ended. */
    cancel(reason: string): Promise<void> {
      live?.attempt.cancel(reason)
      return ended
    },
    fail(problem: Problem): Promise<void> {
      live?.attempt.fail(problem)
      return ended
    },
    interrupt,
    follow,
    result,
  }

  /** Gives an end to a run that an earlier process of the daemon left without one. */
  async function interrupt(): Promise<void> {
    const { run_id: runId, attempt, last_sequence: sequence } = run
    const end = interruption(attempt)
    run = endedRun(run, { ...end, sequence: sequence + 1, at: clock.now() })
    try {
      const { file } = await files.open(runId)
      await writeEnd(logOn(file, sequence), file, end)
    } catch (error) {
      // A disk that takes nothing now is no reason not to start: the next start tries again.
      report(error)
    }
  }

  /** The events of its latest attempt, in batches as there are more. */
  async function* follow({ after = 0, signal }: FollowOptions = {}): AsyncGenerator<readonly RunEvent[]> {
    const { log } = live ?? {}
    let seen = Math.max(after, before)
    let hasEnd = false
    readers++
    stopWaitingForReader()
    try {
      for await (const events of log?.follow(seen, signal) ?? stored(seen, signal)) {
        const last = events.at(-1)
        if (last === undefined) continue
        seen = last.sequence
        hasEnd = isEnd(last)
        yield events
      }
    } catch (error) {
      report(error)
    } finally {
      readers--
      cancelIfUnread()
    }
    // Every reader gets an end, also where the disk did not take it or does not give it back.
    if (!hasEnd && signal?.aborted !== true && seen < run.last_sequence) yield [endOf(run)]
  }

  /** The sum of the events of its latest attempt so far. */
  async function result(): Promise<RunResult> {
    const [current, after] = [live, before]
    await current?.log.written()
    const sum = new RunSum()
    for await (const events of current === undefined ? follow() : stored(after))
      for (const event of events)
        if (current === undefined || event.sequence <= current.log.visible) sum.add(event)
    return sum.result
  }

  async function* stored(after: number, signal?: AbortSignal): AsyncGenerator<readonly RunEvent[]> {
    for await (const events of files.read(run.run_id, after)) {
      if (signal?.aborted === true) return
      yield events
    }
  }

  async function start(
    work: Work,
    number: number,
    open: () => Promise<{ file: RunFile; sequence: number }>,
  ): Promise<void> {
    const { run_id: runId, request, asked_by, last_sequence } = run
    runner = work.runner
    try {
      const { file, sequence } = await open()
      const log = logOn(file, sequence)
      await log.start(number, work.runner.name, last_sequence).catch(async (error: unknown) => {
        await file.close().catch(report)
        throw error
      })
      const about = { runId, attempt: number, request, asker: callerOf(asked_by) }
      const attempt = createAttempt({ ...about, ...work, log, rules, timers, report })
      before = log.sequence - 1
      run = beginAttempt(run, number, work.runner.name)
      live = { log, attempt }
      ended = finish(attempt, log, file).catch(report)
      changed?.(runId)
      cancelIfUnread()
    } catch (error) {
      runner = undefined
      throw error
    }
  }

  function logOn(file: RunFile, sequence: number): RunLog {
    return createRunLog({ runId: run.run_id, file, files, clock, timers, sequence })
  }

  async function finish(attempt: Attempt, log: RunLog, file: RunFile): Promise<void> {
    const unwatch = accessWatch.watch(callerOf(run.asked_by), () =>
      attempt.cancel('whoever asked for it was shut out'),
    )
    await writeEnd(log, file, await attempt.work().finally(unwatch))
  }

  /** The run has ended before anybody sees its end: whoever sees it may ask for the next one at once. */
  async function writeEnd(log: RunLog, file: RunFile, end: RunEnd): Promise<void> {
    const written = await log.writeEnd(end)
    run = endedRun(run, written)
    bytes = file.size
    live = undefined
    runner = undefined
    stopWaitingForReader()
    changed?.(run.run_id)
    await log.showEnd(written)
  }

  function cancelIfUnread(): void {
    if (!cancelWhenUnwatched || readers > 0 || live === undefined) return
    stopWaitingForReader()
    stopWaitingForReader = timers.after(rules.unwatchedMillis, () =>
      live?.attempt.cancel('nobody followed it any more'),
    )
  }
}
