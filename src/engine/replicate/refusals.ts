import type { Clock } from '../ports.ts'

export interface Refusal {
  /** The statement, as far as it could be read. */
  readonly id: string
  readonly reason: string
  readonly since: string
}

export interface RefusedFrom {
  /** All, since this daemon started. */
  readonly count: number
  /** The newest. */
  readonly newest: readonly Refusal[]
}

/** Of one peer. */
const MOST_KEPT = 100

/** What was not taken of each peer, or by it, and why: the newest, and how many in all. Never a reason to stop. */
export class Refusals {
  readonly #clock: Pick<Clock, 'now'>
  readonly #byPeer = new Map<string, { count: number; newest: Map<string, Refusal> }>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** One that is sent again is the same refusal. */
  note(agentId: string, id: string, reason: string): void {
    const known = this.#byPeer.get(agentId) ?? { count: 0, newest: new Map<string, Refusal>() }
    this.#byPeer.set(agentId, known)
    const before = known.newest.get(id)
    if (before === undefined) known.count++
    known.newest.set(id, { id, reason: reason.slice(0, 300), since: before?.since ?? this.#clock.now() })
    for (const oldest of known.newest.keys()) {
      if (known.newest.size <= MOST_KEPT) break
      known.newest.delete(oldest)
    }
  }

  /** It was taken after all. */
  takeBack(agentId: string, id: string): void {
    const known = this.#byPeer.get(agentId)
    if (known?.newest.delete(id) === true) known.count--
  }

  forget(agentId: string): void {
    this.#byPeer.delete(agentId)
  }

  of(agentId: string): RefusedFrom {
    const known = this.#byPeer.get(agentId)
    return { count: known?.count ?? 0, newest: [...(known?.newest.values() ?? [])] }
  }
}
