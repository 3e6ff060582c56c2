import type { SequencedStatement } from '../../../engine/ports/ports.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { StoreLog } from '../store-log.ts'
import type { Undo } from '../tables/tables.ts'
import type { EntryText } from './entry.ts'

/**
 * A frame of this size is closed and the next commits go into a new one; a single larger commit is still one frame.
 */
const FRAME_CHARS = 8 * 1024 * 1024

type Listener = (entries: readonly SequencedStatement[]) => void

/** The commits that share a frame: they are synced together, and succeed or fail together. */
class Batch {
  readonly entries: (string | Promise<string>)[] = []
  readonly undos: Undo[] = []
  readonly shared: SequencedStatement[] = []
  readonly durable: Promise<void>
  chars = 0
  isSealed = false
  /** Whether nothing was being written when it began. */
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
 * Turns commits into frames: while one frame is being written to disk, the next one collects commits. What is applied
 * in memory but not yet durable is exactly what is pending here; if a frame fails, all of it is undone, because later
 * commits were decided on the effects of the failed ones.
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

  /**
   * Settles when everything added so far has been written or has failed; undefined when all of it is durable already.
   */
  get pending(): Promise<void> | undefined {
    return this.#pending.at(-1)?.durable
  }

  /** The characters of all entries that are not durable yet. */
  get waitingChars(): number {
    return this.#waitingChars
  }

  /** Calls the listener with the statements of each durable frame, in order, before the callers get their success. */
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
    // Wait one turn of the event loop, so that commits which are ready by then share this frame. A batch that
    // collected while another one was written starts at once, so that the disk works while the callers of the first
    // are answered.
    if (batch.isFirst) await new Promise(setImmediate)
    if (!this.#pending.includes(batch)) return
    batch.isSealed = true
    try {
      // Signing began with the commits, while the previous frame was being written.
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

  /**
   * The statements are durable, so a listener that fails must not hold up other listeners, callers or the next frame.
   */
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
