import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Acked } from '../model.ts'
import type { InboxItem } from './item-shape.ts'

/** Most hidden items of one agent. */
export const MOST_ACKED = 500

export interface Acknowledgement {
  readonly agentId: string
  readonly item: Pick<InboxItem, 'id' | 'state'>
  /** Whether to show it again. */
  readonly undo: boolean
  readonly now: Stamp
  /** The present state of an item; undefined if it no longer exists. */
  readonly stateOf: (itemId: string) => string | undefined
}

/** The agent's hidden items after the call. Items that are gone or have changed are dropped. */
export function acknowledge(
  before: Acked | undefined,
  { agentId, item, undo, now, stateOf }: Acknowledgement,
): Acked {
  const others = (before?.items ?? []).filter(({ id, state }) => id !== item.id && stateOf(id) === state)
  if (undo) return { agent_id: agentId, items: others }
  if (others.length >= MOST_ACKED)
    throw new Fault('conflict', `${agentId} has hidden ${MOST_ACKED} items already`, {
      next: 'Do what some of them ask for, or show some again with cacp/inbox/ack {"undo": true}: cacp/inbox/list {"includeAcked": true} shows them',
      data: { field: 'itemId', call: { method: 'cacp/inbox/list', params: { includeAcked: true } } },
    })
  return { agent_id: agentId, items: [...others, { id: item.id, state: item.state, at: now }] }
}
