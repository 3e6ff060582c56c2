import { createEngine, type Engine } from '../src/engine/compose.ts'
import type { Hub } from '../src/engine/ports/hub.ts'
import type { RotatingIdentity, Store } from '../src/engine/ports/ports.ts'
import { REPLICATION_RULES } from '../src/engine/replicate/rules.ts'
import { openIdentity } from '../src/io/identity/identity.ts'
import { newSecret } from '../src/io/identity/secret.ts'
import { verifySignature, verifyText } from '../src/io/identity/signature.ts'
import { createPeerClient } from '../src/io/outbound/peer-client.ts'
import { openStore } from '../src/io/store/open-store.ts'
import { systemClock } from '../src/io/system/clock.ts'
import { systemTimers } from '../src/io/system/timers.ts'
import { METHODS } from '../src/methods/table.ts'
import { AGENT_ID, REPO } from './material.ts'

export interface EngineOptions {
  readonly directory: string
  /** Its repository, and the name in its agent ID. */
  readonly name?: string
  readonly hub?: Hub
  /** How large the journal may grow. */
  readonly compactBytes?: number | undefined
}

/** Everything of a daemon but its doors. */
export async function engineIn({
  directory,
  name,
  hub,
  compactBytes,
}: EngineOptions): Promise<{ engine: Engine; store: Store }> {
  let identity: RotatingIdentity | undefined
  const { store, files } = await openStore({
    directory,
    clock: systemClock,
    sign: async (id, keyId) => (await identity?.signStatement(id, keyId)) ?? '',
    ...(compactBytes === undefined ? {} : { compactBytes }),
  })
  identity = await openIdentity(directory, systemClock)
  const self = {
    agentId: name === undefined ? AGENT_ID : `aid://example.com/${name}@1.0.0`,
    repo: name ?? REPO,
    role: 'backend',
    language: 'python',
    endpoint: 'http://127.0.0.1:1',
    storeId: store.id,
    signer: identity,
  }
  const engine = createEngine({
    methods: METHODS,
    self,
    store,
    files,
    clock: systemClock,
    timers: systemTimers,
    random: Math.random,
    client: createPeerClient({ ...self, rulesFor: () => ({ reach: 'loopback' }) }),
    identity,
    verify: verifySignature,
    verifyText,
    newSecret,
    rules: REPLICATION_RULES,
    hub,
  })
  return { engine, store }
}
