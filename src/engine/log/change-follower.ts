import type { Change } from '../../domain/change.ts'
import type { Background } from '../background-tasks.ts'
import type { Store } from '../ports/ports.ts'
import type { ChangeLog } from './change-log.ts'

/** How much is taken in before others get their turn: so many changes of usual effort. */
const SLICE = { asked: 100, unasked: 20 }

export interface FollowerDeps {
  readonly log: ChangeLog
  /** Whose state is looked at. It may be ahead of what is durable, and be taken back to that. */
  readonly store: Pick<Store, 'commit'>
  readonly pause: () => Promise<void>
  /**
   * Takes in one entity as it is now. Told the same one twice, it must come to the same end. Where that can be
   * much work, it is done piece by piece, and the effort of each is told: 1 is what a usual change takes.
   */
  readonly take: ((change: Change) => void) | ((change: Change) => Iterable<number>)
  /** Told why a change could not be taken in. It is passed over, so that all others are. */
  readonly failed?: ((error: unknown) => void) | undefined
}

const USUAL = [1]

/**
 * Keeps something that is derived from the durable state up to date, by the log of its changes, when it is asked for and
 * in slices: one that is asked goes on answering others meanwhile. So that the first who asks need not wait for long,
 * the log may be taken in beforehand, in the background.
 */
export class ChangeFollower {
  readonly #deps: FollowerDeps
  #seq = 0
  /** Since others last had their turn. */
  #effort = 0
  #catchingUp: Promise<void> | undefined
  #background: Background | undefined
  /** How many wait for it. */
  #asking = 0

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** The seq up to which everything was taken in. */
  get seq(): number {
    return this.#seq
  }

  /** Resolves when all that was durable at the call is taken in. */
  async catchUp(): Promise<void> {
    this.#asking++
    this.#background?.hurry()
    try {
      await this.#reach(this.#deps.log.seq)
    } finally {
      this.#asking--
    }
  }

  /** The same at the pace of the background, as long as nobody asks. */
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
    } while (!(await this.#isKept()))
    this.#seq = upTo
  }

  /** Where who speaks for whom has changed, everything in that project may be another one, and is looked at again. */
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

  /** Whether all that could be seen is on disk now; else some of it was taken back. */
  async #isKept(): Promise<boolean> {
    let looks = 0
    await this.#deps.store.commit(() => ({ result: ++looks }))
    return looks === 1
  }

  *#take(change: Change): Iterable<number> {
    const { take, failed } = this.#deps
    try {
      yield* take(change) ?? USUAL
    } catch (error) {
      failed?.(error)
    }
  }

  get #isUnasked(): boolean {
    return this.#asking === 0 && this.#background !== undefined
  }

  /** Whether with this effort it is time to let others have their turn. */
  #isDue(effort: number): boolean {
    this.#effort += effort
    if (this.#effort < (this.#isUnasked ? SLICE.unasked : SLICE.asked)) return false
    this.#effort = 0
    return true
  }

  #rest(): Promise<void> {
    return this.#isUnasked && this.#background !== undefined ? this.#background.rest() : this.#deps.pause()
  }
}
