import { createEngine } from '../src/engine/compose.ts'
import type { RotatingIdentity } from '../src/engine/ports/ports.ts'
import { REPLICATION_RULES } from '../src/engine/replicate/rules.ts'
import { openIdentity } from '../src/io/identity/identity.ts'
import { newSecret } from '../src/io/identity/secret.ts'
import { verifySignature, verifyText } from '../src/io/identity/signature.ts'
import { createPeerClient } from '../src/io/outbound/peer-client.ts'
import { openStore } from '../src/io/store/open-store.ts'
import { systemClock } from '../src/io/system/clock.ts'
import { systemTimers } from '../src/io/system/timers.ts'
import { METHODS } from '../src/methods/table.ts'
import { endWithParent, tell } from './child.ts'
import { AGENT_ID, type Call, createProject, proposeSmall, REPO, SMALL_BYTES } from './material.ts'

/** Fills a store through the daemon's own dispatch, a frame per 64 proposals, and holds it open until it is ended. */
export interface FillJob {
  directory: string
  projects: number
  contracts: number
  /** About how many bytes each is of, where it matters. */
  bytesEach?: number
  /** How large the journal may grow. */
  compactBytes?: number
}

export interface Filled {
  projectIds: string[]
  /** All that is kept: each contract is one, and a project begins with a few. */
  statements: number
  /** Of the text of a statement, with what is around it on disk. */
  bytesEach: number
}

const ABREAST = 64

endWithParent()
const { directory, projects, contracts, bytesEach, compactBytes } = JSON.parse(
  process.argv[2] ?? '',
) as FillJob
let identity: RotatingIdentity | undefined
const { store, files } = await openStore({
  directory,
  clock: systemClock,
  sign: async (id, keyId) => (await identity?.signStatement(id, keyId)) ?? '',
  ...(compactBytes === undefined ? {} : { compactBytes }),
})
process.on('SIGTERM', () => store[Symbol.asyncDispose]().then(() => process.exit()))

identity = await openIdentity(directory, systemClock)
const self = {
  agentId: AGENT_ID,
  repo: REPO,
  role: 'backend',
  language: 'python',
  endpoint: 'http://127.0.0.1:1',
  storeId: store.id,
  signer: identity,
}
const { dispatch } = createEngine({
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
})
const caller = { kind: 'operator', agentId: AGENT_ID, repoName: REPO } as const
const make = (call: Call) => dispatch({ ...call, caller, idempotencyKey: undefined })

const projectIds: string[] = []
for (let number = 1; number <= projects; number++) {
  const { projectId } = (await make(createProject(number))) as { projectId: string }
  projectIds.push(projectId)
}
const padding = 'x'.repeat(Math.max(0, (bytesEach ?? 0) - SMALL_BYTES))
for (let made = 0; made < contracts; made += ABREAST) {
  const batch = Array.from({ length: Math.min(ABREAST, contracts - made) }, (_, index) => {
    const number = made + index
    return make(proposeSmall(projectIds[number % projectIds.length] ?? '', number, padding))
  })
  await Promise.all(batch)
}
const { statements, bytes } = store.health()
const filled: Filled = { projectIds, statements, bytesEach: Math.round(bytes / statements) }
tell(filled)
