import {
  type EndEvent,
  isEnd,
  type Measured,
  type RunEnd,
  type RunEvent,
  type RunEventBody,
} from '../../protocol/run/event.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { RunFile, RunFiles } from '../ports/run-ports.ts'
import { NOT_KEPT } from './failures.ts'
import { RUN_BOUNDS } from './rules.ts'

export interface RunLogDeps {
  readonly runId: string
  readonly file: RunFile
  readonly files: RunFiles
  readonly clock: Clock
  readonly timers: Timers
  /** Of the last event that is in the file already. */
  readonly sequence: number
}

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
  /** Of the last event that anybody may see: the end of an attempt is in the file before it is one. */
  #shown: number
  #hasEnded = false
  #isTurnPlanned = false
  readonly #waiting = new Set<() => void>()
  #failure: unknown

  constructor(deps: RunLogDeps) {
    this.#deps = deps
    this.#sequence = deps.sequence
    this.#written = deps.sequence
    this.#shown = deps.sequence
  }

  get sequence(): number {
    return this.#sequence
  }

  get shown(): number {
    return this.#shown
  }

  /** What the file takes, when everything is written. */
  get size(): number {
    return this.#deps.file.size + this.#unwrittenLength
  }

  /**
   * Takes the event; resolves when there is room for the next. It is shown and written in the next turn, with
   * all that come before that: a lot costs hardly more than one. Throws when the disk takes no more.
   */
  async append(body: RunEventBody): Promise<void> {
    this.#keep(this.#put(body))
    this.#planTurn()
    if (this.#unwrittenLength > RUN_BOUNDS.unwrittenLength) await this.#flush()
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves when the file has everything that was shown before. */
  async written(): Promise<void> {
    await this.#flush().catch(noteLater)
  }

  /** As append, but durable when it resolves. */
  async begin(body: RunEventBody): Promise<void> {
    await this.append(body)
    await this.#flush()
    await this.#deps.file.sync()
  }

  /**
   * The last event of an attempt is shown only when it is on disk, unless the disk refuses it.
   * `note` learns of it just before.
   */
  async end(body: RunEnd, note: (end: EndEvent) => void): Promise<void> {
    let last = this.#put(body)
    try {
      await this.#flush()
      await this.#deps.file.sync()
    } catch {
      // After a restart it will be an interrupted run, so nobody may take it for a completed one now.
      if (body.type === 'completed') last = { ...last, event: notKept(last.event, body) }
    }
    if (isEnd(last.event)) note(last.event)
    this.#hasEnded = true
    this.#keep(last)
    this.#wakeReaders()
    await this.#deps.file.close().catch(noteLater)
  }

  /** Everything after this sequence number, until the end of the attempt, in lots as there is more. */
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
          const events = stored.filter(({ sequence }) => sequence <= this.#shown)
          if (events.length === 0) break
          seen = lastOf(events).sequence
          yield events
          if (isEnd(lastOf(events))) return
          if (hasLeft()) return
        }
      } else if (this.#hasEnded) return
      else await this.#news(signal)
    }
  }

  /** Resolves with the next event, or when the reader leaves. */
  #news(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', wake)
    })
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

  #keep(one: Recent): void {
    this.#recent.push(one)
    this.#shown = one.event.sequence
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
      // In the same breath as the last look at what there is: nobody may wait for a write that is over.
      this.#writing = undefined
    }
  }
}

function notKept(
  { sequence, at }: RunEvent,
  { attempt, duration_ms, exit_code, cpu_ms }: Measured,
): RunEvent {
  return { type: 'failed', ...NOT_KEPT, attempt, duration_ms, exit_code, cpu_ms, sequence, at }
}

/** As JSON. Nearly all events are text, and put together like this they cost half. */
function lineOf(event: RunEvent): string {
  if (event.type !== 'text') return JSON.stringify(event)
  const { delta, sequence, at } = event
  return `{"type":"text","delta":${JSON.stringify(delta)},"sequence":${sequence},"at":"${at}"}`
}

/** Lots are never empty. */
const lastOf = (events: readonly RunEvent[]): RunEvent => events.at(-1) as RunEvent

/** What failed is remembered, and the next append throws it. */
function noteLater(): void {}
