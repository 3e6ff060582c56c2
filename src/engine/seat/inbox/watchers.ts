import { isAmong } from '../../../domain/inbox/inbox.ts'
import type { InboxChange, InboxIndex, InboxOwner } from './inbox-index.ts'

type Wake = () => void

/** After more changes than this, all watchers are woken without checking whom they concern. */
const MOST_TOUCHED = 1000

/** Wakes callers that wait for a change of an agent's inbox. */
export function createInboxWatchers(index: InboxIndex) {
  /** By agent. */
  const watched = new Map<string, { readonly owner: InboxOwner; readonly wakes: Set<Wake> }>()
  let touched: InboxChange[] = []
  const isEmpty = () => watched.size === 0

  return {
    isEmpty,
    wake,

    add(owner: InboxOwner, wakeOne: Wake): () => void {
      const { agentId } = owner
      const wakes = watched.get(agentId)?.wakes ?? new Set()
      watched.set(agentId, { owner, wakes: wakes.add(wakeOne) })
      return () => {
        wakes.delete(wakeOne)
        if (wakes.size === 0 && watched.get(agentId)?.wakes === wakes) watched.delete(agentId)
      }
    },

    note(changes: readonly InboxChange[]): void {
      if (isEmpty() || touched.length > MOST_TOUCHED) return
      for (const one of changes) touched.push(one)
    },

    wakeConcerned(): void {
      const changes = touched
      touched = []
      const isMany = changes.length > MOST_TOUCHED
      for (const { owner } of [...watched.values()])
        if (isMany || changes.some((one) => concerns(one, owner))) wake(owner.agentId)
    },
  }

  function wake(agentId: string): void {
    for (const wakeOne of [...(watched.get(agentId)?.wakes ?? [])]) wakeOne()
  }

  function concerns({ projectId, to }: InboxChange, owner: InboxOwner): boolean {
    const [seat] = index.seatsOf(owner, projectId)
    return seat !== undefined && isAmong(seat[1].repoId, to)
  }
}
