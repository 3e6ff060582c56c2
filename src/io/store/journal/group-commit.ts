import type { SequencedStatement } from '../../../engine/ports/ports.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { StoreLog } from '../store-log.ts'
import type { Undo } from '../tables/redacted-contents.ts'
import type { EntryText } from './entry.ts'

/**
 * A frame of this size is closed and the next commits go into a new one; a single larger commit is still one frame.
 */
const FRAME_CHARS = 8 * 1024 * 1024

type Listener = (entries: readonly SequencedStatement[]) => void

/** The commits that share a frame: they are synced together, and succeed or fail together. */
type Batch = ReturnType<typeof newBatch>

/** `isFirst`: whether nothing was being written when it began. */
function newBatch(isFirst: boolean) {
  let succeed = () => {}
  let fail = (_: Fault) => {}
  const durable = new Promise<void>((resolve, reject) => {
    succeed = resolve
    fail = reject
  })
  const entries: EntryText['text'][] = []
  const undos: Undo[] = []
  const shared: SequencedStatement[] = []
  return { isFirst, durable, succeed, fail, entries, undos, shared, chars: 0, isSealed: false }
}

export type GroupCommit = ReturnType<typeof createGroupCommit>

/**
 * Turns commits into frames: while one frame is being written to disk, the next one collects commits. What is applied
 * in memory but not yet durable is exactly what is pending here; if a frame fails, all of it is undone, because later
 * commits were decided on the effects of the failed ones.
 */
export function createGroupCommit(write: (entries: readonly string[]) => Promise<void>, log: StoreLog) {
  const listeners: Listener[] = []
  let pending: Batch[] = []
  let waitingChars = 0
  let turn: Promise<void> = Promise.resolve()

  function collecting(): Batch {
    const newest = pending.at(-1)
    if (newest !== undefined && !newest.isSealed && newest.chars < FRAME_CHARS) return newest
    const batch = newBatch(newest === undefined)
    pending.push(batch)
    turn = turn.then(() => flush(batch))
    return batch
  }

  async function flush(batch: Batch): Promise<void> {
    // Wait one turn of the event loop, so that commits which are ready by then share this frame. A batch that
    // collected while another one was written starts at once, so that the disk works while the callers of the first
    // are answered.
    if (batch.isFirst) await new Promise(setImmediate)
    if (!pending.includes(batch)) return
    batch.isSealed = true
    try {
      // Signing began with the commits, while the previous frame was being written.
      await write(await Promise.all(batch.entries))
    } catch (error) {
      return takeBack(Fault.from(error))
    }
    pending.shift()
    waitingChars -= batch.chars
    for (const listener of listeners) tell(listener, batch.shared)
    batch.succeed()
  }

  /**
   * The statements are durable, so a listener that fails must not hold up other listeners, callers or the next frame.
   */
  function tell(listener: Listener, entries: readonly SequencedStatement[]): void {
    try {
      listener(entries)
    } catch (error) {
      log.error({ err: error }, 'something that follows the changes has failed; all else goes on')
    }
  }

  function takeBack(fault: Fault): void {
    const failed = pending
    pending = []
    waitingChars = 0
    for (const { undos } of failed.toReversed()) for (const undo of undos.toReversed()) undo()
    for (const batch of failed) batch.fail(fault)
  }

  return {
    /**
     * Settles when everything added so far has been written or has failed; undefined when all of it is durable already.
     */
    get pending(): Promise<void> | undefined {
      return pending.at(-1)?.durable
    },
    /** The characters of all entries that are not durable yet. */
    get waitingChars() {
      return waitingChars
    },
    /** Calls the listener with the statements of each durable frame, in order, before the callers get their success. */
    onDurable(listener: Listener): void {
      listeners.push(listener)
    },
    /** Adds the entries of one commit, already applied in memory. Resolves when they are durable. */
    add(entries: readonly EntryText[], shared: readonly SequencedStatement[], undo: Undo): Promise<void> {
      const batch = collecting()
      for (const { text, chars } of entries) {
        batch.entries.push(text)
        batch.chars += chars
        waitingChars += chars
      }
      for (const entry of shared) batch.shared.push(entry)
      batch.undos.push(undo)
      return batch.durable
    },
    /** Runs a task when no frame is being written and holds back the next one until it is done. */
    betweenFrames<Result>(task: () => Promise<Result>): Promise<Result> {
      const result = turn.then(task)
      turn = result.then(ignore, ignore)
      return result
    },
  }
}

function ignore(): void {}
