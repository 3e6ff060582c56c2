import {
  type AgentRegistered,
  type RegisteredAgent,
  registerAgent,
  type Sender,
} from '../domain/adp/registered-agent.ts'
import { leadsFrom, signatureOf } from '../engine/adp/manifest-signature.ts'
import type { Clock, Store, VerifyBytes, VerifySignature } from '../engine/ports/ports.ts'
import { type ReadManifest, readManifest, type Search } from '../protocol/agent/adp.ts'
import { firstOf } from '../protocol/collections/iterables.ts'
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

export type Registry = ReturnType<typeof createRegistry>

/** The agents of this exchange. Answers contain only what is durable. */
export function createRegistry({ store, clock, verify, verifyBytes }: RegistryDeps) {
  const { agents } = store.view
  const index = new AgentIndex()
  for (const agent of agents.oldestFirst()) index.put(agent)

  async function proofIn(read: ReadManifest): Promise<Pick<Sender, 'isSigned' | 'vouchedBy'>> {
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
    const key = agents.get(read.manifest.aid)?.key ?? null
    const isVouchedFor = signature === 'valid' && key !== null && (await leadsFrom(key, read, verify))
    return { isSigned: signature === 'valid', vouchedBy: isVouchedFor ? key : null }
  }

  return {
    state: () => ({ status: store.health().status, size: agents.size }),

    /** `json` is the body of the request, which contains the manifest. */
    async register(json: string, from: Pick<Sender, 'address' | 'isOperator'>): Promise<AgentRegistered> {
      const read = readManifest(json, 'manifest')
      const sender = { ...from, ...(await proofIn(read)) }
      const registered = await store.commit((view) => registerAgent(view, read, { sender, now: clock.now() }))
      index.put(agents.get(read.manifest.aid) ?? registered.agent)
      if (registered.displaced !== null) index.remove(registered.displaced)
      return registered
    },

    /** Returns whether there was such an agent. */
    async remove(aid: string): Promise<boolean> {
      const isThere = await store.commit((view) => {
        const known = view.agents.get(aid) !== undefined
        return { result: known, local: known ? [{ table: 'agent', id: aid, value: null }] : [] }
      })
      if (agents.get(aid) === undefined) index.remove(aid)
      return isThere
    },

    get: (aid: string): Promise<RegisteredAgent | undefined> =>
      store.commit((view) => ({ result: view.agents.get(aid) })),

    search({ query, filters, limit, offset }: Search): Promise<Page & { ignored: readonly string[] }> {
      return store.commit((view) => {
        const { aids, ignored } = index.find(query, filters ?? {})
        const found = aids.slice(offset, offset + limit).flatMap((aid) => view.agents.get(aid) ?? [])
        return { result: { agents: found, total: aids.length, ignored } }
      })
    },

    /** The newest first. */
    list: ({ limit, offset }: { limit: number; offset: number }): Promise<Page> =>
      store.commit((view) => {
        const page = firstOf(view.agents.newestFirst(), offset + limit).slice(offset)
        return { result: { agents: page, total: view.agents.size } }
      }),
  }
}
