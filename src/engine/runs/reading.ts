import type { FollowOptions, Turn } from '../../methods/runs/service.ts'
import { isEnd, type RunEvent } from '../../protocol/run/event.ts'
import { type RunResult, RunSum } from '../../protocol/run/fold.ts'
import { lastWord, type Record } from './record.ts'
import { RUN_BOUNDS } from './rules.ts'
import type { Workshop, WorkshopDeps } from './workshop.ts'

export interface ReadingDeps extends Pick<WorkshopDeps, 'files' | 'timers' | 'report'> {
  readonly workshop: Pick<Workshop, 'watch' | 'unwatch'>
}

/** What a run told, to whoever wants to know it: as it comes, from disk, or summed up. */
export class RunReading {
  readonly #deps: ReadingDeps

  constructor(deps: ReadingDeps) {
    this.#deps = deps
  }

  async *events(record: Record, options: FollowOptions = {}): AsyncGenerator<RunEvent> {
    for await (const events of this.lots(record, options))
      for (const event of events) {
        if (options.signal?.aborted === true) return
        yield event
      }
  }

  /** The events of its latest attempt, in lots as there are more. While anybody reads, the run is watched. */
  async *lots(record: Record, { after = 0, signal }: FollowOptions): AsyncGenerator<readonly RunEvent[]> {
    const { workshop, report } = this.#deps
    const { log } = record.live ?? {}
    let seen = Math.max(after, record.before)
    let hasEnd = false
    workshop.watch(record)
    try {
      for await (const events of log?.follow(seen, signal) ?? this.#stored(record, seen, signal)) {
        const last = events.at(-1)
        if (last === undefined) continue
        seen = last.sequence
        hasEnd = isEnd(last)
        yield events
      }
    } catch (error) {
      report(error)
    } finally {
      workshop.unwatch(record)
    }
    // What the disk did not take or does not give back still ends for whoever follows it.
    if (!hasEnd && signal?.aborted !== true && seen < record.run.last_sequence) yield [lastWord(record.run)]
  }

  /** The next events, a bounded number of them. */
  async news(
    record: Record,
    { after, waitMillis }: { after: number; waitMillis: number },
  ): Promise<readonly RunEvent[]> {
    const { timers } = this.#deps
    const isLive = record.live !== undefined
    const waiting = new AbortController()
    const stop = () => {
      // What has ended is read to its end.
      if (isLive) waiting.abort()
    }
    const found: RunEvent[] = []
    let length = 0
    let enough = timers.after(Math.max(waitMillis, RUN_BOUNDS.newsMillis), stop)
    for await (const event of this.events(record, { after, signal: waiting.signal })) {
      found.push(event)
      length += JSON.stringify(event).length
      if (length > RUN_BOUNDS.newsLength) break
      if (found.length > 1) continue
      // What comes together with the first one is told together with it.
      enough()
      enough = timers.after(RUN_BOUNDS.newsMillis, stop)
    }
    enough()
    return found
  }

  async sum(record: Record): Promise<RunResult> {
    const { live, before } = record
    await live?.log.written()
    const sum = new RunSum()
    const told = live === undefined ? this.lots(record, {}) : this.#stored(record, before, undefined)
    for await (const events of told)
      for (const event of events) if (live === undefined || event.sequence <= live.log.shown) sum.add(event)
    return sum.result
  }

  /** What was asked and answered in each, oldest first; the oldest are left out when it is too much for one memory. */
  async turns(records: readonly Record[]): Promise<readonly Turn[]> {
    const turns: Turn[] = []
    let room: number = RUN_BOUNDS.turnsLength
    for (const record of records.toReversed()) {
      if (room <= 0) break
      const { run } = record
      const { messages } = run.request
      const text = (await this.sum(record)).text.slice(0, RUN_BOUNDS.turnsLength).toWellFormed()
      room -= text.length + JSON.stringify(messages).length
      turns.unshift({
        run_id: run.run_id,
        messages,
        asked_at: run.created_at,
        text,
        answered_at: run.ended_at ?? run.created_at,
      })
    }
    return turns
  }

  async *#stored(
    { run }: Record,
    after: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly RunEvent[]> {
    for await (const events of this.#deps.files.read(run.run_id, after)) {
      if (signal?.aborted === true) return
      yield events
    }
  }
}
