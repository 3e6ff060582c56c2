import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'

export interface BootIdsDeps {
  now(): Stamp
  /** How long after it was last seen a start may still go on. */
  millis: number
}

interface Sightings {
  /** Which of all sightings of the agent was the first and the last one of this boot id. */
  readonly first: number
  readonly last: number
  readonly at: Stamp
}

/** Of one agent. */
const MOST_BOOT_IDS = 8

/**
 * The boot ids under which each agent was seen: a daemon has another one after every start. A boot id that is seen
 * again after a later one shows that two daemons run under one name, as a copied data directory makes them.
 */
export class BootIds {
  readonly #deps: BootIdsDeps
  readonly #byAgent = new Map<string, Map<string, Sightings>>()
  #count = 0

  constructor(deps: BootIdsDeps) {
    this.#deps = deps
  }

  /** The part of `bootId` behind a dot changes without a start, and is left out. */
  see(agentId: string, bootId: string): void {
    const [id = ''] = bootId.split('.', 1)
    const bootIds = getOrAdd(this.#byAgent, agentId, () => new Map<string, Sightings>())
    const seen = ++this.#count
    const first = bootIds.get(id)?.first ?? seen
    // The one that was seen last stands last.
    bootIds.delete(id)
    bootIds.set(id, { first, last: seen, at: this.#deps.now() })
    dropOldest(bootIds, MOST_BOOT_IDS)
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId)
  }

  runsTwice(agentId: string): boolean {
    const horizon = addMicros(this.#deps.now(), -this.#deps.millis * 1000)
    const bootIds = [...(this.#byAgent.get(agentId)?.values() ?? [])].filter(({ at }) => at >= horizon)
    return bootIds.some((one) => bootIds.some((other) => one.first < other.first && other.first < one.last))
  }
}
