import { expect } from 'vitest'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { arrives, bothHealthy, createProject, FRONTEND, pair } from '../../cluster/pairs.ts'
import { daemon, type TestDaemon } from '../daemons/daemon.ts'

const RULES = { ...REPLICATION_RULES, saveEveryMillis: 20, receiptEveryMillis: 50 }
const SOON = { timeout: 20_000 }

/** Two daemons that know each other, and a project that both repos have joined. */
export interface TwoRepos extends AsyncDisposable {
  readonly backend: TestDaemon
  readonly frontend: TestDaemon
  readonly projectId: string
  /** A contract of the one repo that the other has; answers its id. */
  propose(by: TestDaemon, name: string, content: JsonObject): Promise<string>
  /** The next version of it, which the other has. */
  update(by: TestDaemon, contractId: string, content: JsonObject): Promise<void>
  /** Both repos change the contract before they hear of each other. */
  changeBoth(contractId: string, contents: { backend: JsonObject; frontend: JsonObject }): Promise<void>
}

export async function openTwoRepos(): Promise<TwoRepos> {
  const backend = await daemon({}, { rules: RULES })
  const frontend = await daemon(FRONTEND, { rules: RULES })
  const projectId = await createProject(backend, { name: 'User Auth', objective: 'Log in from the app' })
  await backend.rpc('cacp/project/addRepo', { projectId, name: 'frontend-app', role: 'frontend' })
  await pair(backend, frontend)
  await arrives(frontend, projectId)
  await frontend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' })
  await bothHealthy(backend, frontend)
  const claimed = async () =>
    (await backend.rpc('cacp/project/get', { projectId })).repos.filter(
      (repo: { agent_id: string | null }) => repo.agent_id !== null,
    ).length
  await expect.poll(claimed, SOON).toBe(2)

  /** Nothing of what one has said is missing at the other. */
  const delivered = (by: TestDaemon) =>
    expect.poll(async () => (await by.rpc('cacp/outbox/list')).peers, SOON).toEqual([])
  const update = (by: TestDaemon, contractId: string, content: JsonObject) =>
    by.rpc('cacp/contract/update', { projectId, contractId, content })
  return {
    backend,
    frontend,
    projectId,
    propose: async (by, name, content) => {
      const proposal = { projectId, type: 'api_endpoint', name, content }
      const { contractId } = await by.rpc('cacp/contract/propose', proposal)
      await delivered(by)
      return contractId
    },
    update: async (by, contractId, content) => {
      await update(by, contractId, content)
      await delivered(by)
    },
    changeBoth: async (contractId, contents) => {
      await Promise.all([
        update(backend, contractId, contents.backend),
        update(frontend, contractId, contents.frontend),
      ])
      await Promise.all([delivered(backend), delivered(frontend)])
    },
    [Symbol.asyncDispose]: async () => {
      await frontend[Symbol.asyncDispose]()
      await backend[Symbol.asyncDispose]()
    },
  }
}
