import type { SequencedStatement } from '../../../engine/ports/ports.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { StoreLog } from '../store-log.ts'
import type { Undo } from '../tables/tables.ts'
import type { EntryText } from './entry.ts'

/** Past this the next commits go into a frame of their own; a single larger commit still is one frame. */
const FRAME_CHARS = 8 * 1024 * 1024

type Listener = (entries: readonly SequencedStatement[]) => void

/** The commits that share a frame, and so a sync, and so their fate. */
class Batch {
  readonly entries: (string | Promise<string>)[] = []
  readonly undos: Undo[] = []
  readonly shared: SequencedStatement[] = []
  readonly durable: Promise<void>
  chars = 0
  isSealed = false
  /** Nothing was on its way to disk when it began. */
  readonly isFirst: boolean
  succeed: () => void = () => {}
  fail: (fault: Fault) => void = () => {}

  constructor(isFirst: boolean) {
    this.isFirst = isFirst
    this.durable = new Promise((resolve, reject) => {
      this.succeed = resolve
      this.fail = reject
    })
  }
}

/**
 * Turns commits into frames: while one frame is on its way to disk, the next one collects. What is
 * applied in memory but not yet durable is exactly what is pending here; if a frame fails, all of it
 * is taken back, because later commits were decided on what the failed ones had done.
 */
export class GroupCommit {
  readonly #write: (entries: readonly string[]) => Promise<void>
  readonly #log: StoreLog
  readonly #listeners: Listener[] = []
  #pending: Batch[] = []
  #waitingChars = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(write: (entries: readonly string[]) => Promise<void>, log: StoreLog) {
    this.#write = write
    this.#log = log
  }

  /** Settles with everything that was added so far; undefined when all of it is durable already. */
  get pending(): Promise<void> | undefined {
    return this.#pending.at(-1)?.durable
  }

  /** Characters of all that is on its way to disk. */
  get waitingChars(): number {
    return this.#waitingChars
  }

  /** Calls the listener with what each frame made durable, in order, before anybody is told of success. */
  onDurable(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Adds the entries of one commit, already applied in memory. Resolves when they are durable. */
  add(entries: readonly EntryText[], shared: readonly SequencedStatement[], undo: Undo): Promise<void> {
    const batch = this.#collecting()
    for (const { text, chars } of entries) {
      batch.entries.push(text)
      batch.chars += chars
      this.#waitingChars += chars
    }
    for (const entry of shared) batch.shared.push(entry)
    batch.undos.push(undo)
    return batch.durable
  }

  /** Runs a task when no frame is being written and holds back the next one until it is done. */
  betweenFrames<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(task)
    this.#turn = result.then(ignore, ignore)
    return result
  }

  #collecting(): Batch {
    const newest = this.#pending.at(-1)
    if (newest !== undefined && !newest.isSealed && newest.chars < FRAME_CHARS) return newest
    const batch = new Batch(newest === undefined)
    this.#pending.push(batch)
    this.#turn = this.#turn.then(() => this.#flush(batch))
    return batch
  }

  async #flush(batch: Batch): Promise<void> {
    // One turn of the event loop: whoever is ready to write by now shares this frame. A batch that collected
    // while another one was written goes at once, so that the disk works while that one's callers are answered.
    if (batch.isFirst) await new Promise(setImmediate)
    if (!this.#pending.includes(batch)) return
    batch.isSealed = true
    try {
      // Signatures were begun with their commits, while the frame before was written.
      await this.#write(await Promise.all(batch.entries))
    } catch (error) {
      this.#takeBack(Fault.from(error))
      return
    }
    this.#pending.shift()
    this.#waitingChars -= batch.chars
    for (const listener of this.#listeners) this.#tell(listener, batch.shared)
    batch.succeed()
  }

  /** What is durable is durable: one who fails to take note of it keeps neither others nor the next frame waiting. */
  #tell(listener: Listener, entries: readonly SequencedStatement[]): void {
    try {
      listener(entries)
    } catch (error) {
      this.#log.error({ err: error }, 'something that follows the changes has failed; all else goes on')
    }
  }

  #takeBack(fault: Fault): void {
    const failed = this.#pending
    this.#pending = []
    this.#waitingChars = 0
    for (const { undos } of failed.toReversed()) for (const undo of undos.toReversed()) undo()
    for (const batch of failed) batch.fail(fault)
  }
}

function ignore(): void {}
