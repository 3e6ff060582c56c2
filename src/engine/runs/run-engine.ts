import type { Caller } from '../../domain/env.ts'
import type { Runs, StartOptions, Turn } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { fingerprintOf, type RunRequest } from '../../protocol/run/request.ts'
import { type Asker, hasEnded, type Run } from '../../protocol/run/run.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { RunHead } from '../ports/run-ports.ts'
import { askerOf, callerOf, isSameAsker, maySeeRun, requestKey } from './askers.ts'
import { assertBounds, RUN_BOUNDS, type RunRules } from './rules.ts'
import { nextEvents, turnsOf } from './run-reader.ts'
import { createRunStarter, type RunStarterDeps } from './run-starter.ts'
import { INTERRUPTED, storedState } from './run-state.ts'
import { type TrackedRun, trackRun } from './tracked-run.ts'

/** Where all dialects end: starts runs, lets them be followed, and keeps what became of them. */
export type RunEngine = Runs & AsyncDisposable

/** Takes up the runs of earlier processes of the daemon: those that were at work then are now interrupted. */
export async function openRunEngine(deps: RunStarterDeps): Promise<RunEngine> {
  const { files, clock, timers, rules, runners, accessWatch, report } = deps
  const starter = createRunStarter(deps)
  /** By id, oldest first. */
  const runs = new Map<string, TrackedRun>()
  /** By the key of the request, from when it is accepted. */
  const byRequest = new Map<string, { readonly runId: string; readonly begun: Promise<TrackedRun> }>()

  for (const stored of await files.load()) {
    const tracked = trackRun(deps, storedState(stored))
    if (!hasEnded(tracked.run)) await tracked.interrupt()
    const { run_id: runId } = tracked.run
    runs.set(runId, tracked)
    byRequest.set(keyOf(tracked.run), { runId, begun: Promise.resolve(tracked) })
  }
  forgetOld()

  const start: Runs['start'] = async (request, caller, options = {}) => {
    const asked_by = askerOf(caller)
    const key = requestKey(asked_by, request.dialect, request.request_id)
    const fingerprint = fingerprintOf(request)
    const known = byRequest.get(key)
    if (known !== undefined)
      return { run: await again(await known.begun, { fingerprint, asked_by, options }), isNew: false }
    assertBounds(request)
    const runner = await runners.choose(request, caller)
    // Somebody may have asked for the same meanwhile.
    if (byRequest.has(key)) return start(request, caller, options)
    if (options.oneAtATime === true) assertIdle(request, caller)
    const head: RunHead = { run_id: clock.newId(), request, fingerprint, asked_by, created_at: clock.now() }
    const begun = starter.begin(head, { runner, history: () => turnsBefore(head) }, options)
    byRequest.set(key, { runId: head.run_id, begun })
    try {
      const tracked = await begun
      runs.set(head.run_id, tracked)
      forgetOldAfter(tracked)
      return { run: tracked.run, isNew: true }
    } catch (error) {
      byRequest.delete(key)
      throw error
    }
  }

  return {
    start,

    get: (runId, caller) => visible(runId, caller).run,

    find(dialect, requestId, caller) {
      const key = requestKey(askerOf(caller), dialect, requestId)
      return runs.get(byRequest.get(key)?.runId ?? '')?.run
    },

    result: async (runId, caller) => visible(runId, caller).result(),

    follow(runId, caller, options = {}) {
      const tracked = visible(runId, caller)
      return accessWatch.during({ caller, what: REST, signal: options.signal }, (signal) =>
        tracked.follow({ ...options, signal }),
      )
    },

    async nextEvents(runId, caller, options) {
      const found = await nextEvents(visible(runId, caller), options, timers)
      accessWatch.assert(caller, REST)
      return found
    },

    list({ session_id, status, dialect, limit = RUN_BOUNDS.listed }, caller) {
      const found: Run[] = []
      for (const { run } of [...runs.values()].reverse()) {
        if (found.length >= limit) break
        if (!maySeeRun(run, caller)) continue
        if (session_id !== undefined && run.request.session_id !== session_id) continue
        if (status !== undefined && run.status !== status) continue
        if (dialect !== undefined && run.request.dialect !== dialect) continue
        found.push(run)
      }
      return found
    },

    async cancel(runId, caller, reason = 'canceled by request') {
      const tracked = visible(runId, caller)
      await tracked.cancel(reason)
      return tracked.run
    },

    async retry(runId, caller) {
      const tracked = visible(runId, caller)
      await retry(tracked)
      return tracked.run
    },

    history: (sessionId, caller) =>
      turns((run) => run.request.session_id === sessionId && maySeeRun(run, caller)),

    workTypes: (caller) => runners.workTypes(caller),

    obstacles: () => runners.obstacles(),

    /** Ends all runs that are at work, and starts no other; they can be tried again after the next start. */
    [Symbol.asyncDispose]: () => starter.stop(INTERRUPTED),
  }

  /** The same request again: answers its run, after another attempt where one is wanted and may help. */
  async function again(
    tracked: TrackedRun,
    { fingerprint, asked_by, options }: { fingerprint: string; asked_by: Asker; options: StartOptions },
  ): Promise<Run> {
    const { request, failure } = tracked.run
    if (tracked.fingerprint !== fingerprint)
      throw new Fault(
        'idempotency_conflict',
        `request_id: ${request.request_id} was used before for another request`,
        { next: 'Use a new request_id for a new request', data: { field: 'request_id' } },
      )
    if (options.retryFailed === true && failure?.retryable === true) {
      tracked.setAsker(asked_by)
      await retry(tracked)
    }
    return tracked.run
  }

  async function retry(tracked: TrackedRun): Promise<void> {
    await starter.retry(tracked, () => turnsBefore(tracked.run))
    forgetOldAfter(tracked)
  }

  function visible(runId: string, caller: Caller): TrackedRun {
    const tracked = runs.get(runId)
    if (tracked !== undefined && maySeeRun(tracked.run, caller)) return tracked
    throw new Fault('not_found', `No run ${runId.slice(0, 100)} here`, {
      next: 'List the runs with cacp/run/list',
      data: { runId: runId.slice(0, 100), call: { method: 'cacp/run/list', params: {} } },
    })
  }

  function assertIdle({ session_id, dialect }: RunRequest, caller: Caller): void {
    if (session_id === null) return
    for (const { run } of starter.atWork()) {
      if (run.request.session_id !== session_id || run.request.dialect !== dialect) continue
      if (isSameAsker(run.asked_by, caller))
        throw new Fault('session_busy', `Session ${session_id.slice(0, 100)} is still at work`, {
          next: 'Wait for its end or cancel it; or use another session',
          data: { runId: run.run_id },
        })
    }
  }

  /** What the asker of this run said in the same session before. */
  function turnsBefore({ run_id, request, asked_by }: RunHead | Run): Promise<readonly Turn[]> {
    const { session_id } = request
    if (session_id === null) return Promise.resolve([])
    const asker = callerOf(asked_by)
    return turns(
      (run) =>
        run.run_id !== run_id && run.request.session_id === session_id && isSameAsker(run.asked_by, asker),
    )
  }

  function turns(isMeant: (run: Run) => boolean): Promise<readonly Turn[]> {
    const meant = [...runs.values()].filter(({ run }) => hasEnded(run) && isMeant(run))
    return turnsOf(meant.slice(-RUN_BOUNDS.turns))
  }

  function forgetOldAfter(tracked: TrackedRun): void {
    tracked.ended.then(forgetOld).catch(report)
  }

  function forgetOld(): void {
    const ended = [...runs.values()].filter(
      (tracked) => tracked.run.ended_at !== null && !tracked.isRead && !starter.isRetrying(tracked),
    )
    for (const { run } of expired(ended, rules, clock.now())) {
      runs.delete(run.run_id)
      byRequest.delete(keyOf(run))
      files.remove(run.run_id).catch(report)
    }
  }
}

/** The runs to forget of ended ones that nobody reads, oldest first: those too many, too old or too large together. */
function expired(ended: readonly TrackedRun[], rules: RunRules, now: Stamp): TrackedRun[] {
  const tooOld = addMicros(now, -1000 * rules.keptMillis)
  let count = ended.length
  let bytes = ended.reduce((sum, one) => sum + one.bytes, 0)
  return ended.filter((one) => {
    const isOld = one.run.ended_at !== null && one.run.ended_at < tooOld
    if (count <= rules.keptRuns && bytes <= rules.keptBytes && !isOld) return false
    count--
    bytes -= one.bytes
    return true
  })
}

const REST = 'The rest of this run'

const keyOf = ({ asked_by, request }: Run): string =>
  requestKey(asked_by, request.dialect, request.request_id)
