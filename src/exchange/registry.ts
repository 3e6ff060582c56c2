import {
  type AgentRegistered,
  type RegisteredAgent,
  registerAgent,
  type Sender,
} from '../domain/adp/registered-agent.ts'
import type { Decision } from '../domain/change.ts'
import type { View } from '../domain/view.ts'
import { leadsFrom, signatureOf } from '../engine/adp/manifest-signature.ts'
import type { Clock, Store, StoreHealth, VerifyBytes, VerifySignature } from '../engine/ports/ports.ts'
import { type ReadManifest, readManifest, type Search } from '../protocol/agent/adp.ts'
import { Fault } from '../protocol/fault.ts'
import { AgentIndex } from './agent-index.ts'

export interface Page {
  readonly agents: readonly RegisteredAgent[]
  readonly total: number
}

interface RegistryDeps {
  readonly store: Store
  readonly clock: Clock
  readonly verify: VerifySignature
  readonly verifyBytes: VerifyBytes
}

export type From = Pick<Sender, 'address' | 'isOperator'>

/** The agents of this exchange. Answers contain only what is durable. */
export class Registry {
  readonly #deps: RegistryDeps
  readonly #index = new AgentIndex()

  constructor(deps: RegistryDeps) {
    this.#deps = deps
    for (const agent of deps.store.view.agents.oldestFirst()) this.#index.put(agent)
  }

  get size(): number {
    return this.#deps.store.view.agents.size
  }

  get status(): StoreHealth['status'] {
    return this.#deps.store.health().status
  }

  /** `json` is the body of the request, which contains the manifest. */
  async register(json: string, from: From): Promise<AgentRegistered> {
    const { store, clock } = this.#deps
    const read = readManifest(json, 'manifest')
    const sender = { ...from, ...(await this.#proofIn(read)) }
    const registered = await store.commit((view) => registerAgent(view, read, { sender, now: clock.now() }))
    this.#index.put(store.view.agents.get(read.manifest.aid) ?? registered.agent)
    if (registered.displaced !== null) this.#index.remove(registered.displaced)
    return registered
  }

  async #proofIn(read: ReadManifest): Promise<Pick<Sender, 'isSigned' | 'vouchedBy'>> {
    const { store, verify, verifyBytes } = this.#deps
    const signature = signatureOf(read, verifyBytes)
    if (signature === 'invalid')
      throw new Fault(
        'invalid_params',
        'manifest.signature: is not that of signingKeys.current over this manifest',
        {
          next: 'Sign its JSON without `signature`: keys sorted, no spaces, non-ASCII characters escaped; or leave it out',
          data: { field: 'manifest.signature', error: 'invalid_signature' },
        },
      )
    const key = store.view.agents.get(read.manifest.aid)?.key ?? null
    const isVouchedFor = signature === 'valid' && key !== null && (await leadsFrom(key, read, verify))
    return { isSigned: signature === 'valid', vouchedBy: isVouchedFor ? key : null }
  }

  /** Returns whether there was such an agent. */
  async remove(aid: string): Promise<boolean> {
    const isThere = await this.#deps.store.commit((view) => {
      const known = view.agents.get(aid) !== undefined
      return { result: known, local: known ? [{ table: 'agent', id: aid, value: null }] : [] }
    })
    if (this.#deps.store.view.agents.get(aid) === undefined) this.#index.remove(aid)
    return isThere
  }

  get(aid: string): Promise<RegisteredAgent | undefined> {
    return this.#deps.store.commit((view) => ({ result: view.agents.get(aid) }))
  }

  search({ query, filters, limit, offset }: Search): Promise<Page & { ignored: readonly string[] }> {
    return this.#deps.store.commit((view) => {
      const { aids, ignored } = this.#index.find(query, filters ?? {})
      const agents = aids.slice(offset, offset + limit).flatMap((aid) => view.agents.get(aid) ?? [])
      return { result: { agents, total: aids.length, ignored } }
    })
  }

  /** The newest first. */
  list({ limit, offset }: { limit: number; offset: number }): Promise<Page> {
    return this.#deps.store.commit((view): Decision<Page> => ({ result: pageOf(view, limit, offset) }))
  }
}

function pageOf({ agents }: View, limit: number, offset: number): Page {
  const page: RegisteredAgent[] = []
  let at = 0
  for (const agent of agents.newestFirst()) {
    if (at >= offset + limit) break
    if (at++ >= offset) page.push(agent)
  }
  return { agents: page, total: agents.size }
}
