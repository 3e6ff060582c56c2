import type { Self } from '../../domain/env.ts'
import { localWithIds } from '../../domain/speaking/renewed-ids.ts'
import { horizonOf, isAhead, sayAgain } from '../../domain/speaking/say-again.ts'
import { EARLIEST, latest, type Stamp } from '../../protocol/stamp.ts'
import type { Clock, SequencedStatement, Store, Timers } from '../ports/ports.ts'
import type { ReplicationRules } from '../replicate/rules.ts'

/** What became of statements beyond the clock. */
export interface ToldAgain {
  /** How many were said again. */
  readonly count: number
  /** How many stay, because somebody else may have admitted them. */
  readonly left: number
}

const SAID = 'said again under new ids what was said while the clock was ahead'
const LEFT =
  'left what was said while the clock was ahead, because others may have it; it counts when it is its time'

export interface SaidAheadDeps {
  readonly self: Pick<Self, 'signer'>
  readonly store: Pick<Store, 'commit' | 'view' | 'onDurable'>
  readonly clock: Pick<Clock, 'now'>
  readonly timers: Timers
  readonly rules: Pick<ReplicationRules, 'repairEveryMillis'>
  /** Left out where nobody reads that. */
  readonly onSaidAgain?: ((told: ToldAgain, sentence: string) => void) | undefined
  readonly failed?: ((error: unknown) => void) | undefined
}

/**
 * Nobody takes what this daemon said while its clock was ahead, not for as long as it was. Once the clock is put right,
 * between two starts or under way, that is said again with the right time.
 */
export class SaidAhead implements AsyncDisposable {
  readonly #deps: SaidAheadDeps
  /** The newest stamp of what was said here, save for what was ahead already when all was looked at. */
  #newest: Stamp = EARLIEST
  #running: Promise<void> | undefined
  #cancel: (() => void) | undefined
  #isEnded = false

  constructor(deps: SaidAheadDeps) {
    this.#deps = deps
    deps.store.onDurable((statements) => this.#hear(statements))
  }

  /** Looks at all that was said before the start. */
  async begin(): Promise<void> {
    await this.#mend()
    this.#lookLater()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#cancel?.()
    await this.#running
  }

  #hear(statements: readonly SequencedStatement[]): void {
    const { keyId } = this.#deps.self.signer
    for (const { statement, isDropped } of statements)
      if (!isDropped && statement.key === keyId && statement.at > this.#newest) this.#newest = statement.at
  }

  #lookLater(): void {
    if (this.#isEnded) return
    this.#cancel = this.#deps.timers.after(this.#deps.rules.repairEveryMillis, () => {
      const isSteppedBack = this.#newest > horizonOf(this.#deps.clock.now())
      this.#running = isSteppedBack ? this.#mend() : Promise.resolve()
      void this.#running.then(() => this.#lookLater())
    })
  }

  async #mend(): Promise<void> {
    const { view } = this.#deps.store
    const newest = this.#newest
    this.#newest = EARLIEST
    const ids = Array.from(view.projects.oldestFirst(), ({ project }) => project.project_id)
    try {
      for (const id of ids)
        if (isAhead(view.projects.get(id)?.said ?? [], this.#speaker())) await this.#sayIn(id)
      this.#newest = latest([this.#newest, ...this.#newestWithinClock()])
    } catch (error) {
      // A store that takes nothing now is asked again at the next look.
      this.#newest = latest([newest, this.#newest])
      this.#deps.failed?.(error)
    }
  }

  /** By project, the newest of what was said before, should the clock go back under way. */
  *#newestWithinClock(): Iterable<Stamp> {
    const { clock, self, store } = this.#deps
    const horizon = horizonOf(clock.now())
    for (const { said } of store.view.projects.oldestFirst()) {
      const newest = said.newestBy(self.signer.keyId)
      if (newest !== undefined && newest <= horizon) yield newest
    }
  }

  async #sayIn(projectId: string): Promise<void> {
    const told = await this.#deps.store.commit((view) => {
      const { says, drops, ids, left } = sayAgain(view.projects.get(projectId)?.said ?? [], this.#speaker())
      const local = localWithIds(view, projectId, ids)
      return { drops, says, local, result: { count: says.length, left } }
    })
    this.#deps.onSaidAgain?.(told, told.left === 0 ? SAID : LEFT)
  }

  #speaker() {
    const { clock, self, store } = this.#deps
    const taken = Array.from(store.view.links.oldestFirst(), ({ took_until = EARLIEST }) => took_until)
    return { now: clock.now(), key: self.signer.keyId, takenUntil: latest(taken) }
  }
}
