import type { InboxIndex, Looker, Touched } from './inbox-index.ts'

type Wake = () => void

/** Beyond so many changes at once everybody may be concerned, and looks. */
const MOST_TOUCHED = 1000

/** Those who want to hear when what an agent has to do may have changed. */
export class InboxWatchers {
  readonly #index: InboxIndex
  /** By agent. */
  readonly #wakes = new Map<string, { readonly looker: Looker; readonly wakes: Set<Wake> }>()
  #touched: Touched[] = []

  constructor(index: InboxIndex) {
    this.#index = index
  }

  get isEmpty(): boolean {
    return this.#wakes.size === 0
  }

  add(looker: Looker, wake: Wake): () => void {
    const { agentId } = looker
    const wakes = this.#wakes.get(agentId)?.wakes ?? new Set()
    this.#wakes.set(agentId, { looker, wakes: wakes.add(wake) })
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#wakes.get(agentId)?.wakes === wakes) this.#wakes.delete(agentId)
    }
  }

  note(touched: readonly Touched[]): void {
    if (this.isEmpty || this.#touched.length > MOST_TOUCHED) return
    for (const one of touched) this.#touched.push(one)
  }

  wakeConcerned(): void {
    const touched = this.#touched
    this.#touched = []
    const isMany = touched.length > MOST_TOUCHED
    for (const { looker } of [...this.#wakes.values()])
      if (isMany || touched.some((one) => this.#concerns(one, looker))) this.wake(looker.agentId)
  }

  wake(agentId: string): void {
    for (const wake of [...(this.#wakes.get(agentId)?.wakes ?? [])]) wake()
  }

  #concerns({ inbox, projectId, to }: Touched, looker: Looker): boolean {
    const [seat] = this.#index.seatsOf(looker, projectId)
    return seat !== undefined && inbox.concerns(seat[1].repoId, to)
  }
}
