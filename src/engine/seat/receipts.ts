import { type Change, receiptChange } from '../../domain/change.ts'
import type { Caller, Self } from '../../domain/env.ts'
import { isOfHome } from '../../domain/home.ts'
import { repoOfAgent } from '../../domain/lookup.ts'
import {
  isContractFor,
  isLocalAgent,
  isNews,
  isPacketFor,
  receiptWith,
  type Shown,
  type Sight,
  sightOfContract,
  sightOfPacket,
} from '../../domain/receipt.ts'
import { activeClaim } from '../../domain/repo.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { Clock, Store, Timers } from '../ports.ts'

export interface ReceiptsDeps {
  self: Self
  store: Pick<Store, 'commit' | 'view'>
  clock: Clock
  timers: Timers
  /** How often at most receipts are written. */
  everyMillis: number
}

/** What is to be written in one receipt. */
interface Due {
  readonly project_id: string
  readonly repo_id: string
  readonly sights: Map<string, Sight>
}

/**
 * Notes what the agents that work with this daemon were shown. The first sighting after a quiet time is written at
 * once, those that follow soon after together; whoever was shown something does not wait for it.
 */
export class Receipts implements AsyncDisposable {
  readonly #deps: ReceiptsDeps
  readonly #due = new Map<string, Due>()
  /** To which repo a value was last shown. Values are never changed in place, so once is enough. */
  readonly #shown = new WeakMap<object, string>()
  readonly #repos = new WeakMap<ProjectView, { agentId: string; repoId: string | undefined }>()
  #isResting = false
  #isEnded = false
  #writing: Promise<void> = Promise.resolve()
  #cancel: () => void = () => {}

  constructor(deps: ReceiptsDeps) {
    this.#deps = deps
  }

  note(caller: Caller, { project_id, contracts = [], packets = [] }: Shown): void {
    if (!isLocalAgent(caller)) return
    const found = this.#deps.store.view.projects.get(project_id)
    const repoId = found && this.#repoOf(found, caller.agentId)
    if (found === undefined || repoId === undefined) return
    for (const contract of contracts)
      if (this.#isFirst(contract, repoId) && isContractFor(repoId, contract))
        this.#noteOne(found, repoId, sightOfContract(contract))
    for (const packet of packets)
      if (this.#isFirst(packet, repoId) && isPacketFor(repoId, packet))
        this.#noteOne(found, repoId, sightOfPacket(packet))
    if (this.#due.size > 0) this.#writeSoon()
  }

  /** Writes what is not written yet, and nothing after that. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#cancel()
    await this.#writing
    await this.#write().catch(() => {}) // a receipt is all that is lost
  }

  #isFirst(value: object, repoId: string): boolean {
    if (this.#shown.get(value) === repoId) return false
    this.#shown.set(value, repoId)
    return true
  }

  /** The repo that the agent holds through this daemon; remembered until the project changes. */
  #repoOf(found: ProjectView, agentId: string): string | undefined {
    const known = this.#repos.get(found)
    if (known?.agentId === agentId) return known.repoId
    const repoId = this.#findRepo(found, agentId)
    this.#repos.set(found, { agentId, repoId })
    return repoId
  }

  #findRepo(found: ProjectView, agentId: string): string | undefined {
    const { self, store } = this.#deps
    const repo = repoOfAgent(found, agentId)
    const claim = repo && activeClaim(repo, found.project)
    return claim !== undefined && isOfHome(store.view, claim, self) ? repo?.repo_id : undefined
  }

  #noteOne({ project, receipts }: ProjectView, repo_id: string, sight: Sight): void {
    if (!isNews(receipts.get(repo_id), sight)) return
    const { project_id } = project
    const key = `${project_id} ${repo_id}`
    const due = this.#due.get(key) ?? { project_id, repo_id, sights: new Map() }
    due.sights.set(sight.key, sight)
    this.#due.set(key, due)
  }

  #writeSoon(): void {
    if (this.#isResting || this.#isEnded) return
    this.#isResting = true
    this.#writing = this.#write().catch(() => {}) // what failed is still due, and tried again after the rest
    this.#cancel = this.#deps.timers.after(this.#deps.everyMillis, () => {
      this.#isResting = false
      if (this.#due.size > 0) this.#writeSoon()
    })
  }

  async #write(): Promise<void> {
    if (this.#due.size === 0) return
    const taken = [...this.#due]
    this.#due.clear()
    try {
      await this.#deps.store.commit((view) => ({ result: undefined, changes: this.#changes(view, taken) }))
    } catch (error) {
      for (const [key, { sights, ...due }] of taken)
        this.#due.set(key, { ...due, sights: new Map([...sights, ...(this.#due.get(key)?.sights ?? [])]) })
      throw error
    }
  }

  #changes(view: View, taken: readonly (readonly [string, Due])[]): Change[] {
    const now = this.#deps.clock.now()
    return taken.flatMap(([, { project_id, repo_id, sights }]) => {
      const found = view.projects.get(project_id)
      if (found === undefined) return []
      const value = receiptWith(found.receipts.get(repo_id), { repo_id, sights: sights.values(), now })
      return value === undefined ? [] : [receiptChange(project_id, value)]
    })
  }
}
