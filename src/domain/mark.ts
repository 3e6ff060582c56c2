import type { LocalChange } from './change.ts'
import type { Mark } from './model.ts'
import type { View } from './view.ts'

/** How far this daemon has what each peer sent. */

const idOf = (agentId: string, storeId: string): string => `${agentId} ${storeId}`

export const markOf = (view: View, agentId: string, storeId: string): Pick<Mark, 'seq' | 'count'> => ({
  seq: 0,
  count: 0,
  ...view.marks.get(idOf(agentId, storeId)),
})

/** The mark after the peer had something noted again. */
export function nextMark(view: View, { agent_id, store_id, seq }: Omit<Mark, 'count'>): Mark {
  const known = markOf(view, agent_id, store_id)
  return { agent_id, store_id, seq: Math.max(seq, known.seq), count: known.count + 1 }
}

/** A peer has one store: where it comes with another one, the one before is gone. */
export function marking(view: View, mark: Mark): LocalChange[] {
  const id = idOf(mark.agent_id, mark.store_id)
  const isNew = view.marks.get(id) === undefined
  const gone = isNew ? [...view.marks.oldestFirst()].filter((one) => one.agent_id === mark.agent_id) : []
  return [
    ...gone.map((one): LocalChange => ({ table: 'mark', id: idOf(one.agent_id, one.store_id), value: null })),
    { table: 'mark', id, value: mark },
  ]
}
