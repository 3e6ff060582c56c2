import {
  type EndEvent,
  isEnd,
  type Measured,
  type RunEnd,
  type RunEvent,
  type RunEventBody,
} from '../../protocol/run/event.ts'
import type { RunFile } from '../ports/run-ports.ts'
import { waitAmong } from '../timing/wait-until.ts'
import { RUN_BOUNDS } from './rules.ts'
import { NOT_STORED } from './run-state.ts'
import type { TrackedRunDeps } from './tracked-run.ts'

export interface RunLogDeps extends Pick<TrackedRunDeps, 'files' | 'clock' | 'timers'> {
  readonly runId: string
  readonly file: RunFile
  /** Of the last event that is in the file already. */
  readonly sequence: number
}

/** Stands in the place of an event that the disk has lost. */
const LOST = { type: 'heartbeat', note: 'lost' } as const

interface Recent {
  readonly event: RunEvent
  readonly length: number
}

export type RunLog = ReturnType<typeof createRunLog>

/**
 * The events of a run that is at work: numbered, written to its file, and shown to whoever follows. The newest
 * are in memory; a reader that falls behind them reads from the file, so nobody holds anybody up.
 */
export function createRunLog({ runId, file, files, clock, timers, sequence: stored }: RunLogDeps) {
  const recent: Recent[] = []
  let recentLength = 0
  let unwritten: string[] = []
  let unwrittenLength = 0
  let writing: Promise<void> | undefined
  let sequence = stored
  /** Of the last event that is written, though maybe not synced. */
  let writtenUpTo = stored
  /** Of the last event that readers may see: the end of an attempt is in the file before they see it. */
  let visible = stored
  let hasEnded = false
  let isTurnPlanned = false
  const waiting = new Set<() => void>()
  let failure: unknown

  return {
    get sequence() {
      return sequence
    },
    get visible() {
      return visible
    },
    /** What the file takes, when everything is written. */
    get size() {
      return file.size + unwrittenLength
    },
    append,
    written,
    start,
    writeEnd,
    showEnd,
    follow,
  }

  /**
   * Takes the event; resolves when there is room for the next. Readers see it in the next turn of the event loop,
   * and it is written then, with all that come before that: a batch costs hardly more than one event. Throws when
   * the disk takes no more.
   */
  async function append(body: RunEventBody): Promise<void> {
    show(put(body))
    planTurn()
    if (unwrittenLength > RUN_BOUNDS.unwrittenLength) await flush()
    if (failure !== undefined) throw failure
  }

  /** Resolves when the file has every event that is visible now. */
  async function written(): Promise<void> {
    await flush().catch(noteLater)
  }

  /**
   * Writes the first event of an attempt. Events up to `last` were seen by readers, though a crash may have lost some
   * of them: their numbers are neither given twice nor left out.
   */
  async function start(attempt: number, runner: string, last: number): Promise<void> {
    while (sequence < last) await append(LOST)
    await append({ type: 'started', attempt, runner })
    // The first attempt follows from the head of the file; any other must be on disk, or a crash would forget it.
    if (attempt === 1) return
    await flush()
    await file.sync()
  }

  /** Answers the last event of an attempt when it is on disk, or when the disk has refused it. */
  async function writeEnd(body: RunEnd): Promise<EndEvent> {
    const { sequence: number, at } = put(body).event
    try {
      await flush()
      await file.sync()
    } catch {
      // After a restart it will be an interrupted run, so nobody may take it for a completed one now.
      if (body.type === 'completed') return { ...notStored(body), sequence: number, at }
    }
    return { ...body, sequence: number, at }
  }

  /** Shows what `writeEnd` answered to the readers, and closes the file. */
  async function showEnd(event: EndEvent): Promise<void> {
    hasEnded = true
    show({ event, length: lineOf(event).length + 1 })
    wakeReaders()
    await file.close().catch(noteLater)
  }

  /** Everything after this sequence number, until the end of the attempt, in batches as there is more. */
  async function* follow(
    after: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly RunEvent[]> {
    let seen = after
    const hasLeft = () => signal?.aborted === true
    while (!hasLeft()) {
      const before = recentStart()
      const newest = seen < before ? [] : recent.slice(seen - before)
      if (newest.length > 0) {
        const events = newest.map(({ event }) => event)
        seen = lastOf(events).sequence
        yield events
        if (isEnd(lastOf(events))) return
      } else if (seen < before && seen < writtenUpTo) {
        for await (const batch of files.read(runId, seen)) {
          const events = batch.filter((event) => event.sequence <= visible)
          if (events.length === 0) break
          seen = lastOf(events).sequence
          yield events
          if (isEnd(lastOf(events))) return
          if (hasLeft()) return
        }
      } else if (hasEnded) return
      else await waitAmong(waiting, { timers, signal })
    }
  }

  /** The sequence number before the oldest event in memory. */
  function recentStart(): number {
    return (recent[0]?.event.sequence ?? sequence + 1) - 1
  }

  /** Numbers it and has it written. */
  function put(body: RunEventBody): Recent {
    const event: RunEvent = { ...body, sequence: ++sequence, at: clock.now() }
    const line = `${lineOf(event)}\n`
    unwritten.push(line)
    unwrittenLength += line.length
    return { event, length: line.length }
  }

  /** Makes it visible, and drops the oldest events from memory when there are too many. */
  function show(one: Recent): void {
    recent.push(one)
    visible = one.event.sequence
    recentLength += one.length
    let drop = 0
    // What is not in the file yet cannot be read from there.
    for (let oldest = recent[0]; oldest !== undefined; oldest = recent[drop]) {
      if (recentLength <= RUN_BOUNDS.recentLength || oldest.event.sequence > writtenUpTo) break
      recentLength -= oldest.length
      drop++
    }
    if (drop > 0) recent.splice(0, drop)
  }

  function planTurn(): void {
    if (isTurnPlanned) return
    isTurnPlanned = true
    timers.after(0, () => {
      isTurnPlanned = false
      wakeReaders()
      flush().catch(noteLater)
    })
  }

  function wakeReaders(): void {
    for (const wake of [...waiting]) wake()
  }

  /** Writes what there is, and what comes meanwhile after that; one write at a time. */
  function flush(): Promise<void> {
    if (failure !== undefined) return Promise.reject(failure)
    if (unwritten.length > 0) writing ??= write()
    return writing ?? Promise.resolve()
  }

  async function write(): Promise<void> {
    try {
      while (unwritten.length > 0) {
        const text = unwritten.join('')
        const upTo = sequence
        unwritten = []
        await file.append(text)
        unwrittenLength -= text.length
        writtenUpTo = upTo
      }
    } catch (error) {
      failure = error
      throw error
    } finally {
      // In the same turn as the last check for unwritten lines: nobody may wait for a write that is over.
      writing = undefined
    }
  }
}

const notStored = ({ attempt, duration_ms, exit_code, cpu_ms }: Measured): RunEnd => ({
  type: 'failed',
  ...NOT_STORED,
  attempt,
  duration_ms,
  exit_code,
  cpu_ms,
})

/** As JSON. Nearly all events are text, and put together like this they cost half. */
function lineOf(event: RunEvent): string {
  if (event.type !== 'text') return JSON.stringify(event)
  const { delta, sequence, at } = event
  return `{"type":"text","delta":${JSON.stringify(delta)},"sequence":${sequence},"at":"${at}"}`
}

/** Batches are never empty. */
const lastOf = (events: readonly RunEvent[]): RunEvent => events.at(-1) as RunEvent

/** A failed write is remembered, and the next append throws it. */
function noteLater(): void {}
