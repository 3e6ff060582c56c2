import type { Change } from '../../domain/change.ts'
import type { Parts } from '../parts.ts'
import type { Store } from '../ports/ports.ts'
import type { Background } from '../timing/background-tasks.ts'

/**
 * After how much effort other work gets its turn, counted in usual changes: while somebody waits, and in the
 * background.
 */
const SLICE = { waiting: 100, background: 20 }

interface FollowerDeps extends Pick<Parts, 'log' | 'pause' | 'failed'> {
  /** The store whose state is read. That state can be ahead of what is durable, and can be undone. */
  readonly store: Pick<Store, 'commit'>
  /**
   * Takes in one entity as it is now; doing so twice must have the same result as once. Where that can be much work,
   * it is done piece by piece, and yields the effort of each: 1 is that of a usual change. A change that cannot be taken
   * in is skipped.
   */
  readonly take: ((change: Change) => void) | ((change: Change) => Iterable<number>)
}

const USUAL = [1]

/**
 * Keeps an index that is derived from the durable state up to date. It follows the change log when it is asked to, in
 * slices, so that other calls are answered meanwhile. The log can also be taken in ahead, in the background, so that
 * the first caller does not wait long.
 */
export function createChangeFollower({ store, log, pause, failed, take }: FollowerDeps) {
  let seq = 0
  /** Since other work last had its turn. */
  let totalEffort = 0
  let catchingUp: Promise<void> | undefined
  let background: Background | undefined
  /** How many callers wait for it. */
  let asking = 0

  return {
    /** The sequence number up to which all changes were taken in. */
    get seq(): number {
      return seq
    },

    /** Resolves when all changes that were durable at the call are taken in. */
    async catchUp(): Promise<void> {
      asking++
      background?.hurry()
      try {
        await reach(log.seq)
      } finally {
        asking--
      }
    },

    /** The same at the pace of the background, as long as no caller waits. */
    async warmUp(inBackground: Background): Promise<void> {
      background = inBackground
      for (const effort of log.prepare()) if (isDue(effort)) await rest()
      await reach(log.seq)
      background = undefined
    },
  }

  async function reach(target: number): Promise<void> {
    while (seq < target) {
      catchingUp ??= takeNext().finally(() => {
        catchingUp = undefined
      })
      await catchingUp
    }
  }

  async function takeNext(): Promise<void> {
    const upTo = log.seq
    totalEffort = 0
    do {
      for (const change of changed(upTo))
        for (const effort of takeOne(change)) if (isDue(effort)) await rest()
    } while (!(await isDurable()))
    seq = upTo
  }

  /**
   * After a change of who speaks for a repo, every entity of that project may be different, so all of them are taken
   * in again.
   */
  function* changed(upTo: number): Iterable<Change> {
    const before = seq
    const wide = new Set<string>()
    for (const change of log.after(before)) {
      if (change.seq > upTo) break
      if (change.isWide) wide.add(change.project_id)
      yield change
    }
    for (const projectId of wide)
      for (const change of log.within(projectId)) if (change.seq <= before) yield change
  }

  /**
   * Whether all that was read is durable now; otherwise some of it was undone. (A commit repeats its decision when a
   * write that it had seen was undone.)
   */
  async function isDurable(): Promise<boolean> {
    let attempts = 0
    await store.commit(() => ({ result: ++attempts }))
    return attempts === 1
  }

  function* takeOne(change: Change): Iterable<number> {
    try {
      yield* take(change) ?? USUAL
    } catch (error) {
      failed?.(error)
    }
  }

  /** The pace of the background, unless a caller waits. */
  function pace(): Background | undefined {
    return asking === 0 ? background : undefined
  }

  /** Whether, after this effort, other work should get its turn. */
  function isDue(effort: number): boolean {
    totalEffort += effort
    if (totalEffort < (pace() === undefined ? SLICE.waiting : SLICE.background)) return false
    totalEffort = 0
    return true
  }

  function rest(): Promise<void> {
    return pace()?.rest() ?? pause()
  }
}
