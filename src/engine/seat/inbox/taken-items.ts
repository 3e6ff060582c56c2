import type { InboxItem } from '../../../domain/inbox/item-shape.ts'
import { Fault } from '../../../protocol/fault.ts'
import { addMicros, type Stamp } from '../../../protocol/stamp.ts'

/** The session that works on an inbox item, and how long others should leave it alone. */
type Taken = NonNullable<InboxItem['taken']>

/**
 * An item, and what its own repo last said about it: that ends a take, because the item is then done. What other
 * repos say does not.
 */
export interface Takeable extends Pick<InboxItem, 'id'> {
  ownStatement(): string
}

const MOST_TAKEN_AT_ONCE = 5000
const MICROS_PER_MINUTE = 60_000_000

/**
 * Which items the sessions of one agent have taken, so that no two do the same work. Kept in memory only: losing it
 * at a restart does little harm.
 */
export class TakenItems {
  readonly #taken = new Map<string, Taken & { readonly ownStatement: string }>()

  /** Undefined when the time is over or the item was done. */
  of(agentId: string, { id, ownStatement }: Takeable, now: Stamp): Taken | undefined {
    const kept = this.#taken.get(keyOf(agentId, id))
    return kept !== undefined && kept.until > now && kept.ownStatement === ownStatement()
      ? { by: kept.by, until: kept.until }
      : undefined
  }

  take(
    agentId: string,
    item: Takeable,
    { by, minutes, now }: { readonly by: string; readonly minutes: number; readonly now: Stamp },
  ): Taken {
    const before = this.of(agentId, item, now)
    if (before !== undefined && before.by !== by)
      throw new Fault('conflict', `${before.by} has taken this item until ${before.until}`, {
        next: `Take another item of cacp/inbox/list, or wait until then; if that was you, cacp/inbox/take with itemId ${item.id} and session ${JSON.stringify(before.by)}`,
        data: {
          field: 'itemId',
          takenBy: before.by,
          until: before.until,
          call: { method: 'cacp/inbox/list', params: {} },
        },
      })
    this.#makeRoom(now)
    const taken = { by, until: addMicros(now, minutes * MICROS_PER_MINUTE) }
    this.#taken.set(keyOf(agentId, item.id), { ...taken, ownStatement: item.ownStatement() })
    return taken
  }

  giveBack(agentId: string, itemId: string): void {
    this.#taken.delete(keyOf(agentId, itemId))
  }

  #makeRoom(now: Stamp): void {
    if (this.#taken.size < MOST_TAKEN_AT_ONCE) return
    for (const [key, { until }] of this.#taken) if (until <= now) this.#taken.delete(key)
    if (this.#taken.size >= MOST_TAKEN_AT_ONCE)
      throw new Fault('conflict', `${MOST_TAKEN_AT_ONCE} items are taken already`, {
        next: 'Give some back with cacp/inbox/ack, or wait until their time is over',
        data: { field: 'itemId' },
      })
  }
}

const keyOf = (agentId: string, itemId: string): string => `${agentId} ${itemId}`
