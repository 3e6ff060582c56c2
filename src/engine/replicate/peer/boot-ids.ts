import { addMicros, type Stamp } from '../../../protocol/stamp.ts'

export interface LivesDeps {
  now(): Stamp
  /** How long after it was last seen a life may still go on. */
  millis: number
}

interface Sightings {
  /** Which of all sightings of the agent was the first and the last one of this life. */
  readonly first: number
  readonly last: number
  readonly at: Stamp
}

/** Of one agent. */
const MOST_LIVES = 8

/**
 * Every start of a daemon is another life of its agent. One that is seen again after a later one had begun did not
 * end for it: two daemons run under one name, as a copied data directory makes them.
 */
export class Lives {
  readonly #deps: LivesDeps
  readonly #byAgent = new Map<string, Map<string, Sightings>>()
  #count = 0

  constructor(deps: LivesDeps) {
    this.#deps = deps
  }

  /** `life` as daemons tell it; what stands behind a dot there changes without a start. */
  see(agentId: string, life: string): void {
    const [id = ''] = life.split('.', 1)
    const lives = this.#byAgent.get(agentId) ?? new Map<string, Sightings>()
    this.#byAgent.set(agentId, lives)
    const seen = ++this.#count
    const first = lives.get(id)?.first ?? seen
    // The one that was seen last stands last.
    lives.delete(id)
    lives.set(id, { first, last: seen, at: this.#deps.now() })
    for (const oldest of lives.keys()) {
      if (lives.size <= MOST_LIVES) break
      lives.delete(oldest)
    }
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId)
  }

  runsTwice(agentId: string): boolean {
    const horizon = addMicros(this.#deps.now(), -this.#deps.millis * 1000)
    const lives = [...(this.#byAgent.get(agentId)?.values() ?? [])].filter(({ at }) => at >= horizon)
    return lives.some((one) => lives.some((other) => one.first < other.first && other.first < one.last))
  }
}
