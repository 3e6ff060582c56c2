import {
  type EndEvent,
  isEnd,
  type Measured,
  type RunEnd,
  type RunEvent,
  type RunEventBody,
} from '../../protocol/run/event.ts'
import type { RunFile } from '../ports/run-ports.ts'
import { waitUntil } from '../timing/wait-until.ts'
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

/**
 * The events of a run that is at work: numbered, written to its file, and shown to whoever follows. The newest
 * are in memory; a reader that falls behind them reads from the file, so nobody holds anybody up.
 */
export class RunLog {
  readonly #deps: RunLogDeps
  readonly #recent: Recent[] = []
  #recentLength = 0
  #unwritten: string[] = []
  #unwrittenLength = 0
  #writing: Promise<void> | undefined
  /** Of the last event that is written, though maybe not synced. */
  #written: number
  #sequence: number
  /** Of the last event that readers may see: the end of an attempt is in the file before they see it. */
  #visible: number
  #hasEnded = false
  #isTurnPlanned = false
  readonly #waiting = new Set<() => void>()
  #failure: unknown

  constructor(deps: RunLogDeps) {
    this.#deps = deps
    this.#sequence = deps.sequence
    this.#written = deps.sequence
    this.#visible = deps.sequence
  }

  get sequence(): number {
    return this.#sequence
  }

  get visible(): number {
    return this.#visible
  }

  /** What the file takes, when everything is written. */
  get size(): number {
    return this.#deps.file.size + this.#unwrittenLength
  }

  /**
   * Takes the event; resolves when there is room for the next. Readers see it in the next turn of the event loop,
   * and it is written then, with all that come before that: a batch costs hardly more than one event. Throws when
   * the disk takes no more.
   */
  async append(body: RunEventBody): Promise<void> {
    this.#show(this.#put(body))
    this.#planTurn()
    if (this.#unwrittenLength > RUN_BOUNDS.unwrittenLength) await this.#flush()
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves when the file has every event that is visible now. */
  async written(): Promise<void> {
    await this.#flush().catch(noteLater)
  }

  /**
   * Writes the first event of an attempt. Events up to `last` were seen by readers, though a crash may have lost some
   * of them: their numbers are neither given twice nor left out.
   */
  async start(attempt: number, runner: string, last: number): Promise<void> {
    while (this.#sequence < last) await this.append(LOST)
    await this.append({ type: 'started', attempt, runner })
    // The first attempt follows from the head of the file; any other must be on disk, or a crash would forget it.
    if (attempt === 1) return
    await this.#flush()
    await this.#deps.file.sync()
  }

  /** Answers the last event of an attempt when it is on disk, or when the disk has refused it. */
  async writeEnd(body: RunEnd): Promise<EndEvent> {
    const { sequence, at } = this.#put(body).event
    try {
      await this.#flush()
      await this.#deps.file.sync()
    } catch {
      // After a restart it will be an interrupted run, so nobody may take it for a completed one now.
      if (body.type === 'completed') return { ...notStored(body), sequence, at }
    }
    return { ...body, sequence, at }
  }

  /** Shows what `writeEnd` answered to the readers, and closes the file. */
  async showEnd(event: EndEvent): Promise<void> {
    this.#hasEnded = true
    this.#show({ event, length: lineOf(event).length + 1 })
    this.#wakeReaders()
    await this.#deps.file.close().catch(noteLater)
  }

  /** Everything after this sequence number, until the end of the attempt, in batches as there is more. */
  async *follow(after: number, signal: AbortSignal | undefined): AsyncGenerator<readonly RunEvent[]> {
    let seen = after
    const hasLeft = () => signal?.aborted === true
    while (!hasLeft()) {
      const start = this.#recentStart()
      const recent = seen < start ? [] : this.#recent.slice(seen - start)
      if (recent.length > 0) {
        const events = recent.map(({ event }) => event)
        seen = lastOf(events).sequence
        yield events
        if (isEnd(lastOf(events))) return
      } else if (seen < start && seen < this.#written) {
        for await (const stored of this.#deps.files.read(this.#deps.runId, seen)) {
          const events = stored.filter(({ sequence }) => sequence <= this.#visible)
          if (events.length === 0) break
          seen = lastOf(events).sequence
          yield events
          if (isEnd(lastOf(events))) return
          if (hasLeft()) return
        }
      } else if (this.#hasEnded) return
      else await this.#nextEvent(signal)
    }
  }

  /** Resolves with the next event, or when the reader leaves. */
  #nextEvent(signal: AbortSignal | undefined): Promise<void> {
    return waitUntil((wake) => {
      this.#waiting.add(wake)
      return () => this.#waiting.delete(wake)
    }, signal)
  }

  /** The sequence number before the oldest event in memory. */
  #recentStart(): number {
    return (this.#recent[0]?.event.sequence ?? this.#sequence + 1) - 1
  }

  /** Numbers it and has it written. */
  #put(body: RunEventBody): Recent {
    const sequence = ++this.#sequence
    const at = this.#deps.clock.now()
    const event: RunEvent = { ...body, sequence, at }
    const line = `${lineOf(event)}\n`
    this.#unwritten.push(line)
    this.#unwrittenLength += line.length
    return { event, length: line.length }
  }

  /** Makes it visible, and drops the oldest events from memory when there are too many. */
  #show(one: Recent): void {
    this.#recent.push(one)
    this.#visible = one.event.sequence
    this.#recentLength += one.length
    let drop = 0
    // What is not in the file yet cannot be read from there.
    for (let oldest = this.#recent[0]; oldest !== undefined; oldest = this.#recent[drop]) {
      if (this.#recentLength <= RUN_BOUNDS.recentLength || oldest.event.sequence > this.#written) break
      this.#recentLength -= oldest.length
      drop++
    }
    if (drop > 0) this.#recent.splice(0, drop)
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#deps.timers.after(0, () => {
      this.#isTurnPlanned = false
      this.#wakeReaders()
      this.#flush().catch(noteLater)
    })
  }

  #wakeReaders(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Writes what there is, and what comes meanwhile after that; one write at a time. */
  #flush(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#unwritten.length > 0) this.#writing ??= this.#write()
    return this.#writing ?? Promise.resolve()
  }

  async #write(): Promise<void> {
    try {
      while (this.#unwritten.length > 0) {
        const text = this.#unwritten.join('')
        const upTo = this.#sequence
        this.#unwritten = []
        await this.#deps.file.append(text)
        this.#unwrittenLength -= text.length
        this.#written = upTo
      }
    } catch (error) {
      this.#failure = error
      throw error
    } finally {
      // In the same turn as the last check for unwritten lines: nobody may wait for a write that is over.
      this.#writing = undefined
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
