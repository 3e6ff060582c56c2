import type { ChangeLog } from './change-log.ts'
import type { SequencedChange } from './ports.ts'

/** How much is taken in before others get their turn: so many changes of usual effort. */
const SLICE = 100

export interface FollowerDeps {
  readonly log: ChangeLog
  readonly pause: () => Promise<void>
  /**
   * Takes in one entity at its last change. Told the same one twice, it must come to the same end. Where that can be
   * much work, it is done piece by piece, and the effort of each is told: 1 is what a usual change takes.
   */
  readonly take: ((change: SequencedChange) => void) | ((change: SequencedChange) => Iterable<number>)
}

const USUAL = [1]

/**
 * Keeps something that is derived from the log of durable changes up to date, when it is asked for and in slices: a
 * daemon that nobody asks never pays for it, and one that is asked goes on answering others meanwhile.
 */
export class ChangeFollower {
  readonly #deps: FollowerDeps
  #seq = 0
  #catchingUp: Promise<void> | undefined

  constructor(deps: FollowerDeps) {
    this.#deps = deps
  }

  /** The seq up to which everything was taken in. */
  get seq(): number {
    return this.#seq
  }

  /** Resolves when all that was durable at the call is taken in. */
  async catchUp(): Promise<void> {
    const target = this.#deps.log.seq
    while (this.#seq < target) {
      this.#catchingUp ??= this.#takeNext().finally(() => {
        this.#catchingUp = undefined
      })
      await this.#catchingUp
    }
  }

  async #takeNext(): Promise<void> {
    const { log, pause, take } = this.#deps
    const upTo = log.seq
    let effort = 0
    for (const change of log.after(this.#seq)) {
      if (change.seq > upTo) break
      for (const piece of take(change) ?? USUAL) {
        effort += piece
        if (effort < SLICE) continue
        effort = 0
        await pause()
      }
    }
    this.#seq = upTo
  }
}
