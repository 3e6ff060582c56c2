import type { FollowOptions, Runs, Turn } from '../../methods/runs/service.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { Timers } from '../ports/ports.ts'
import { RUN_BOUNDS } from './rules.ts'
import type { TrackedRun } from './tracked-run.ts'

/** The events of a run, one by one. */
async function* eventsOf(run: TrackedRun, options: FollowOptions): AsyncGenerator<RunEvent> {
  for await (const events of run.follow(options))
    for (const event of events) {
      if (options.signal?.aborted === true) return
      yield event
    }
}

/** The next events, a bounded number of them; `waitMillis` is how long to wait for the first one. */
export async function nextEvents(
  run: TrackedRun,
  { after, waitMillis }: Parameters<Runs['nextEvents']>[2],
  timers: Timers,
): Promise<readonly RunEvent[]> {
  const { isDaemonRunning } = run
  const waiting = new AbortController()
  const stop = () => {
    // What has ended is read to its end.
    if (isDaemonRunning) waiting.abort()
  }
  const found: RunEvent[] = []
  let length = 0
  let cancelTimer = timers.after(Math.max(waitMillis, RUN_BOUNDS.newsMillis), stop)
  for await (const event of eventsOf(run, { after, signal: waiting.signal })) {
    found.push(event)
    length += JSON.stringify(event).length
    if (length > RUN_BOUNDS.newsLength) break
    if (found.length > 1) continue
    // Events that come right after the first one are part of the same answer.
    cancelTimer()
    cancelTimer = timers.after(RUN_BOUNDS.newsMillis, stop)
  }
  cancelTimer()
  return found
}

/** What was asked and answered in each run, oldest first; the oldest are left out when the text is too long. */
export async function turnsOf(runs: readonly TrackedRun[]): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  let room: number = RUN_BOUNDS.turnsLength
  for (const tracked of runs.toReversed()) {
    if (room <= 0) break
    const { run_id, request, created_at, ended_at } = tracked.run
    const text = (await tracked.result()).text.slice(0, RUN_BOUNDS.turnsLength).toWellFormed()
    room -= text.length + JSON.stringify(request.messages).length
    turns.unshift({
      run_id,
      messages: request.messages,
      asked_at: created_at,
      text,
      answered_at: ended_at ?? created_at,
    })
  }
  return turns
}
