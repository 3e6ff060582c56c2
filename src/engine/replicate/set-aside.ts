import type { Aside } from '../../domain/model.ts'
import { Fault } from '../../protocol/fault.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'
import type { Clock, SequencedChange, Timers } from '../ports.ts'

/** A peer that refuses more than this is in trouble itself. */
const MOST_ASIDE = 500

/** Sent as soon as possible; it was not refused, but could not be seen before. */
export const NEWLY_VISIBLE = 'newly visible'
export const TOO_LONG = 'too long for one request; it is fetched when states are compared'

export interface SetAsideDeps {
  saved: readonly Aside[]
  log: Pick<ChangeLog, 'get'>
  clock: Clock
  timers: Timers
  /** After so long what was refused is tried again. */
  againMillis: number
  onChange(): void
  /** Some of it is due. */
  wake(): void
}

/** What a peer would not take: kept out of the way of everything else, and tried again now and then. */
export class SetAside {
  readonly #deps: SetAsideDeps
  readonly #entries: Map<string, Aside>
  #isDue = true
  #cancelRetry: (() => void) | undefined
  #isEnded = false

  constructor(deps: SetAsideDeps) {
    this.#deps = deps
    this.#entries = new Map(deps.saved.map((one) => [one.key, one]))
  }

  get isDue(): boolean {
    return this.#isDue
  }

  get size(): number {
    return this.#entries.size
  }

  has(change: SequencedChange): boolean {
    return this.#entries.has(entityKey(change))
  }

  list(): Aside[] {
    return [...this.#entries.values()]
  }

  tryAgain(): void {
    this.#isDue = true
  }

  /** All of it as it is now, to be sent again; what is gone, or not to be seen any more, is forgotten. */
  takeDue(isVisible: (change: SequencedChange) => boolean): SequencedChange[] {
    this.#isDue = false
    const changes: SequencedChange[] = []
    for (const key of this.#entries.keys()) {
      const change = this.#deps.log.get(key)
      if (change !== undefined && isVisible(change)) changes.push(change)
      else if (this.#entries.delete(key)) this.#deps.onChange()
    }
    return changes
  }

  put(change: SequencedChange, reason: string): void {
    const key = entityKey(change)
    const known = this.#entries.get(key)
    if (known === undefined && reason !== NEWLY_VISIBLE && this.size >= MOST_ASIDE)
      throw new Fault('unavailable', `It would not take ${this.size} entities; the last: ${reason}`)
    this.#entries.set(key, { key, reason, since: known?.since ?? this.#deps.clock.now() })
    if (reason === NEWLY_VISIBLE) this.#isDue = true
    else this.#retrySoon()
    this.#deps.onChange()
  }

  /** The peer has it. Should it have changed since, that may be what was refused, and is to be sent again. */
  takeBack(key: string, change: SequencedChange | undefined): void {
    if (this.#deps.log.get(key) === change && this.#entries.delete(key)) this.#deps.onChange()
  }

  end(): void {
    this.#isEnded = true
    this.#cancelRetry?.()
  }

  #retrySoon(): void {
    const { timers, againMillis, wake } = this.#deps
    if (this.#isEnded) return
    this.#cancelRetry ??= timers.after(againMillis, () => {
      this.#cancelRetry = undefined
      this.#isDue = true
      wake()
    })
  }
}
