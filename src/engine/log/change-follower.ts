import type { Change } from '../../domain/change.ts'
import type { Parts } from '../parts.ts'
import type { Store } from '../ports/ports.ts'
import type { Background } from '../timing/background-tasks.ts'

/**
 * After how much effort other work gets its turn, counted in usual changes: while somebody waits, and in the
 * background.
 */
const SLICE = { waiting: 100, background: 20 }

export interface FollowerDeps extends Pick<Parts, 'log' | 'pause' | 'failed'> {
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
export class ChangeFollower {
  readonly #deps: FollowerDeps
  #seq = 0
  /** The effort since other work last had its turn. */
  #effort = 0
  #catchingUp: Promise<void> | undefined
  #background: Background | undefined
  /** How many callers wait for it. */
  #asking = 0

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** The sequence number up to which all changes were taken in. */
  get seq(): number {
    return this.#seq
  }

  /** Resolves when all changes that were durable at the call are taken in. */
  async catchUp(): Promise<void> {
    this.#asking++
    this.#background?.hurry()
    try {
      await this.#reach(this.#deps.log.seq)
    } finally {
      this.#asking--
    }
  }

  /** The same at the pace of the background, as long as no caller waits. */
  async warmUp(background: Background): Promise<void> {
    this.#background = background
    for (const effort of this.#deps.log.prepare()) if (this.#isDue(effort)) await this.#rest()
    await this.#reach(this.#deps.log.seq)
    this.#background = undefined
  }

  async #reach(target: number): Promise<void> {
    while (this.#seq < target) {
      this.#catchingUp ??= this.#takeNext().finally(() => {
        this.#catchingUp = undefined
      })
      await this.#catchingUp
    }
  }

  async #takeNext(): Promise<void> {
    const upTo = this.#deps.log.seq
    this.#effort = 0
    do {
      for (const change of this.#changed(upTo))
        for (const effort of this.#take(change)) if (this.#isDue(effort)) await this.#rest()
    } while (!(await this.#isDurable()))
    this.#seq = upTo
  }

  /**
   * After a change of who speaks for a repo, every entity of that project may be different, so all of them are taken
   * in again.
   */
  *#changed(upTo: number): Iterable<Change> {
    const { log } = this.#deps
    const before = this.#seq
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
  async #isDurable(): Promise<boolean> {
    let attempts = 0
    await this.#deps.store.commit(() => ({ result: ++attempts }))
    return attempts === 1
  }

  *#take(change: Change): Iterable<number> {
    const { take, failed } = this.#deps
    try {
      yield* take(change) ?? USUAL
    } catch (error) {
      failed?.(error)
    }
  }

  /** The pace of the background, unless a caller waits. */
  get #pace(): Background | undefined {
    return this.#asking === 0 ? this.#background : undefined
  }

  /** Whether, after this effort, other work should get its turn. */
  #isDue(effort: number): boolean {
    this.#effort += effort
    if (this.#effort < (this.#pace === undefined ? SLICE.waiting : SLICE.background)) return false
    this.#effort = 0
    return true
  }

  #rest(): Promise<void> {
    return this.#pace?.rest() ?? this.#deps.pause()
  }
}
