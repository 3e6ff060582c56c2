import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'

interface BootIdsDeps {
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

export type BootIds = ReturnType<typeof createBootIds>

/**
 * The boot ids under which each agent was seen: a daemon has another one after every start. A boot id that is seen
 * again after a later one shows that two daemons run under one name, as a copied data directory makes them.
 */
export function createBootIds({ now, millis }: BootIdsDeps) {
  const byAgent = new Map<string, Map<string, Sightings>>()
  let count = 0

  return {
    /** The part of `bootId` behind a dot changes without a start, and is left out. */
    see(agentId: string, bootId: string): void {
      const [id = ''] = bootId.split('.', 1)
      const bootIds = getOrAdd(byAgent, agentId, () => new Map<string, Sightings>())
      const seen = ++count
      const first = bootIds.get(id)?.first ?? seen
      // The one that was seen last stands last.
      bootIds.delete(id)
      bootIds.set(id, { first, last: seen, at: now() })
      dropOldest(bootIds, MOST_BOOT_IDS)
    },

    forget: (agentId: string): boolean => byAgent.delete(agentId),

    runsTwice(agentId: string): boolean {
      const horizon = addMicros(now(), -millis * 1000)
      const bootIds = [...(byAgent.get(agentId)?.values() ?? [])].filter(({ at }) => at >= horizon)
      return bootIds.some((one) => bootIds.some((other) => one.first < other.first && other.first < one.last))
    },
  }
}
