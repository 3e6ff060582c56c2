import type { InboxIndex, Touched } from './inbox-index.ts'

type Wake = () => void

/** Those who want to hear when what an agent has to do may have changed. */
export class InboxWatchers {
  readonly #index: InboxIndex
  /** By agent. */
  readonly #wakes = new Map<string, Set<Wake>>()
  #touched: Touched[] = []

  constructor(index: InboxIndex) {
    this.#index = index
  }

  get isEmpty(): boolean {
    return this.#wakes.size === 0
  }

  add(agentId: string, wake: Wake): () => void {
    const wakes = this.#wakes.get(agentId) ?? new Set()
    this.#wakes.set(agentId, wakes.add(wake))
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(agentId) === wakes) this.#wakes.delete(agentId)
    }
  }

  note(touched: readonly Touched[]): void {
    if (!this.isEmpty) this.#touched.push(...touched)
  }

  wakeConcerned(): void {
    const touched = this.#touched
    this.#touched = []
    for (const agentId of [...this.#wakes.keys()])
      if (touched.some((one) => this.#concerns(one, agentId))) this.wake(agentId)
  }

  wake(agentId: string): void {
    for (const wake of [...(this.#wakes.get(agentId) ?? [])]) wake()
  }

  #concerns({ inbox, projectId, to }: Touched, agentId: string): boolean {
    const [seat] = this.#index.seatsOf(agentId, projectId)
    return seat !== undefined && inbox.concerns(seat[1].repoId, to)
  }
}
