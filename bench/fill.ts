import { createEngine } from '../src/engine/compose.ts'
import { REPLICATION_RULES } from '../src/engine/replicate/rules.ts'
import { systemClock } from '../src/io/clock.ts'
import { openIdentity } from '../src/io/identity.ts'
import { createPeerClient } from '../src/io/peer-client.ts'
import { newSecret } from '../src/io/secret.ts'
import { verifySignature } from '../src/io/signature.ts'
import { openStore } from '../src/io/store/open-store.ts'
import { systemTimers } from '../src/io/timers.ts'
import { METHODS } from '../src/methods/table.ts'
import { endWithParent, tell } from './child.ts'
import { AGENT_ID, type Call, createProject, proposeSmall, REPO } from './material.ts'

/** Fills a store through the daemon's own dispatch, a frame per 64 proposals, and holds it open until it is ended. */
export interface FillJob {
  directory: string
  projects: number
  /** Projects, repos and contracts together. */
  entities: number
  /** How large the journal may grow. */
  compactBytes?: number
}

export interface Filled {
  projectIds: string[]
  entities: number
  bytesEach: number
}

const ABREAST = 64

endWithParent()
const { directory, projects, entities, compactBytes } = JSON.parse(process.argv[2] ?? '') as FillJob
const { store, files } = await openStore({
  directory,
  clock: systemClock,
  ...(compactBytes === undefined ? {} : { compactBytes }),
})
process.on('SIGTERM', () => store[Symbol.asyncDispose]().then(() => process.exit()))

const self = {
  agentId: AGENT_ID,
  repo: REPO,
  role: 'backend',
  language: 'python',
  endpoint: 'http://127.0.0.1:1',
  storeId: store.id,
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
  identity: await openIdentity(directory, systemClock),
  verify: verifySignature,
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
for (let made = store.health().entities; made < entities; made += ABREAST) {
  const batch = Array.from({ length: Math.min(ABREAST, entities - made) }, (_, index) => {
    const number = made + index
    return make(proposeSmall(projectIds[number % projectIds.length] ?? '', number))
  })
  await Promise.all(batch)
}
const health = store.health()
const filled: Filled = {
  projectIds,
  entities: health.entities,
  bytesEach: Math.round(health.bytes / health.entities),
}
tell(filled)
