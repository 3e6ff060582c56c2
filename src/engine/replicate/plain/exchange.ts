import type { EntityName } from '../../../domain/change.ts'
import { entityKey, namesIn } from '../../../domain/entity.ts'
import type { LinkState, Peer } from '../../../domain/model.ts'
import { linkStateChange } from '../../../domain/peers/peers.ts'
import { isDue, shadowOf } from '../../../domain/plain/shadow.ts'
import type { ProjectView } from '../../../domain/view.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Parts } from '../../parts.ts'
import type { Exchange, ExchangeReport } from '../link/exchange.ts'
import type { PlainConversation } from './conversation.ts'
import type { PlainPull } from './pull.ts'
import type { PlainPush } from './push.ts'

export interface PlainExchangeDeps
  extends Pick<Parts, 'log' | 'view' | 'store' | 'clock' | 'clocks' | 'timers' | 'rules'> {
  peer: Peer
  conversation: PlainConversation
  pull: PlainPull
  sender: PlainPush
  /** Has push called soon. */
  wake(): void
}

/**
 * The reference implementation, or any peer that knows the document's methods only. It tells its peers what
 * its agent does, once, and nobody what it received; so it is also looked at, now and then. What it is known
 * to hold is remembered for each entity: what differs there is its edit, what differs here is ours.
 */
export class PlainExchange implements Exchange {
  readonly #deps: PlainExchangeDeps
  readonly #due = new Map<string, EntityName>()
  /** By entityKey: what it would not take, which is tried again at every look. */
  readonly #aside = new Map<string, ExchangeReport['aside'][number]>()
  #cursor = 0
  #clockSkewSeconds: number | null = null
  #isLookDue = false
  #isFresh = false
  #cancelLook: (() => void) | undefined

  constructor(deps: PlainExchangeDeps) {
    this.#deps = deps
  }

  /** It is to tell us from now on; then we look at what it did before, and only then it hears from us. */
  async begin(): Promise<void> {
    const { log, view } = this.#deps
    await this.#save()
    await this.#register()
    this.#cursor = log.seq
    await this.#look()
    for (const found of view.projects.oldestFirst()) this.#consider(found, namesIn(found))
    this.#isFresh = true
  }

  async push(): Promise<void> {
    if (this.#isLookDue) {
      await this.#register()
      await this.#look()
    }
    this.#collect()
    if (this.#due.size === 0) return
    for (const [key, name] of this.#due) {
      this.#due.delete(key)
      await this.#send(key, name)
      this.#collect()
    }
    await this.#deps.sender.settled()
  }

  /** Left to push, which looks before it sends: both at once would take each other's doing for the peer's. */
  async repair(): Promise<void> {
    if (!this.#isFresh) this.#isLookDue = true
    this.#isFresh = false
  }

  async end(): Promise<void> {
    this.#cancelLook?.()
    this.#deps.clocks.note(this.#deps.peer, null)
  }

  report(): ExchangeReport {
    const { log, pull, clock } = this.#deps
    const since = clock.now()
    return {
      behind: log.countAfter(this.#cursor) + this.#due.size + this.#aside.size,
      aside: [
        ...this.#aside.values(),
        ...Array.from(pull.refusals.entries(), ([key, reason]) => ({ key, reason, since })),
      ],
      clockSkewSeconds: this.#clockSkewSeconds,
    }
  }

  async #register(): Promise<void> {
    const { conversation, clock, clocks, peer } = this.#deps
    // If it cannot be reached at all, looking at it says so.
    this.#clockSkewSeconds = await conversation.register(clock).catch(() => null)
    clocks.note(peer, this.#clockSkewSeconds)
  }

  async #look(): Promise<void> {
    const { view, pull, timers, rules, wake } = this.#deps
    this.#isLookDue = false
    for (const projectId of await pull.all()) {
      const found = view.projects.get(projectId)
      if (found !== undefined) this.#consider(found, namesIn(found))
    }
    for (const key of this.#aside.keys()) this.#considerAgain(key)
    this.#cancelLook?.()
    this.#cancelLook = timers.after(rules.repairEveryMillis, () => {
      this.#isLookDue = true
      wake()
    })
  }

  #considerAgain(key: string): void {
    const [kind, project_id = '', id = ''] = key.split(' ')
    const found = this.#deps.view.projects.get(project_id)
    const name = { kind, project_id, id } as EntityName
    if (found !== undefined) this.#consider(found, [name])
    if (!this.#due.has(key)) this.#aside.delete(key)
  }

  /** Takes up what changed here since the last time. */
  #collect(): void {
    const { log, view } = this.#deps
    for (const change of log.after(this.#cursor)) {
      const found = view.projects.get(change.project_id)
      if (found !== undefined) this.#consider(found, change.isWide ? namesIn(found) : [change])
    }
    this.#cursor = log.seq
  }

  #consider(found: ProjectView, names: Iterable<EntityName>): void {
    const { view, peer } = this.#deps
    // A plain peer does not know who may see what, and would hand a project of members on to everybody.
    if (found.project.visibility === 'members') return
    for (const { kind, project_id, id } of names) {
      const name = { kind, project_id, id }
      if (isDue(name, found, shadowOf(view, peer.agent_id, name))) this.#due.set(entityKey(name), name)
    }
  }

  async #send(key: string, name: EntityName): Promise<void> {
    try {
      const refusal = await this.#deps.sender.send(name)
      if (refusal === undefined) this.#aside.delete(key)
      else this.#putAside(key, refusal)
    } catch (error) {
      // Should this one be what it fails at, the others come first next time.
      this.#putAside(key, Fault.from(error).message)
      throw error
    }
  }

  #putAside(key: string, reason: string): void {
    const since = this.#aside.get(key)?.since ?? this.#deps.clock.now()
    this.#aside.set(key, { key, reason, since })
  }

  /** That it is one, which is to be known while it is away. */
  async #save(): Promise<void> {
    const { peer, store } = this.#deps
    const value: LinkState = { agent_id: peer.agent_id, acked_seq: 0, plain: true }
    await store.commit((view) => ({ result: undefined, local: linkStateChange(view, value) }))
  }
}
