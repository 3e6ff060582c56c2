import { endWithParent, tell } from './child.ts'
import { engineIn } from './engine-in.ts'
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
const { engine, store } = await engineIn({ directory, compactBytes })
process.on('SIGTERM', () => store[Symbol.asyncDispose]().then(() => process.exit()))
const caller = { kind: 'operator', agentId: AGENT_ID, repoName: REPO } as const
const make = (call: Call) => engine.dispatch({ ...call, caller, idempotencyKey: undefined })

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
