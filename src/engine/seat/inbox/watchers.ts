import { isAmong } from '../../../domain/inbox/inbox.ts'
import type { InboxChange, InboxIndex, InboxOwner } from './inbox-index.ts'

type Wake = () => void

/** After more changes than this, all watchers are woken without checking whom they concern. */
const MOST_TOUCHED = 1000

/** Wakes callers that wait for a change of an agent's inbox. */
export class InboxWatchers {
  readonly #index: InboxIndex
  /** By agent. */
  readonly #wakes = new Map<string, { readonly owner: InboxOwner; readonly wakes: Set<Wake> }>()
  #touched: InboxChange[] = []

  constructor(index: InboxIndex) {
    this.#index = index
  }

  get isEmpty(): boolean {
    return this.#wakes.size === 0
  }

  add(owner: InboxOwner, wake: Wake): () => void {
    const { agentId } = owner
    const wakes = this.#wakes.get(agentId)?.wakes ?? new Set()
    this.#wakes.set(agentId, { owner, wakes: wakes.add(wake) })
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(agentId)?.wakes === wakes) this.#wakes.delete(agentId)
    }
  }

  note(touched: readonly InboxChange[]): void {
    if (this.isEmpty || this.#touched.length > MOST_TOUCHED) return
    for (const one of touched) this.#touched.push(one)
  }

  wakeConcerned(): void {
    const touched = this.#touched
    this.#touched = []
    const isMany = touched.length > MOST_TOUCHED
    for (const { owner } of [...this.#wakes.values()])
      if (isMany || touched.some((one) => this.#concerns(one, owner))) this.wake(owner.agentId)
  }

  wake(agentId: string): void {
    for (const wake of [...(this.#wakes.get(agentId)?.wakes ?? [])]) wake()
  }

  #concerns({ projectId, to }: InboxChange, owner: InboxOwner): boolean {
    const [seat] = this.#index.seatsOf(owner, projectId)
    return seat !== undefined && isAmong(seat[1].repoId, to)
  }
}
