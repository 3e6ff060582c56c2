import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { request } from 'undici'
import { expect } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { startDaemon } from '../../src/daemon/daemon.ts'
import { REPLICATION_RULES, type ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import type { PlainProject } from '../support/plain-peer/models.ts'
import type { ServedPlainPeer } from '../support/plain-peer/server.ts'

export const PLAIN = 'agent-plain-api'
export const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/
export const LOOK_MILLIS = 150
export const RULES: ReplicationRules = {
  ...REPLICATION_RULES,
  breaker: { retryMillis: [0, 20, 50], openAfterFailures: 5, openMillis: 100, jitter: 0 },
  repairEveryMillis: LOOK_MILLIS,
  saveEveryMillis: 20,
}
export const REPOS = [
  { name: 'backend-api', role: 'backend', language: 'python' },
  { name: 'plain-api', role: 'backend', language: 'python' },
]
export const SLOW = { timeout: 20_000 }

export const start = (flags: object = {}, rules: ReplicationRules = RULES) =>
  daemon({ open: true, ...flags }, { rules })
export const connect = (from: TestDaemon, to: { url: string }) => from.rpc('cacp/peer/add', { url: to.url })

/** What the plain peer holds of a project. */
export const held = ({ peer }: ServedPlainPeer, projectId: string): PlainProject | undefined =>
  peer.snapshot().find((project) => project.project_id === projectId)

export const heldContract = (plain: ServedPlainPeer, projectId: string, contractId: string) =>
  held(plain, projectId)?.contracts.find((one) => one.contract_id === contractId)

export const projectAt = (at: TestDaemon, projectId: string) =>
  at.rpc('cacp/project/get', { projectId }).catch(() => undefined)

export const contractAt = (at: TestDaemon, projectId: string, contractId: string) =>
  at.rpc('cacp/contract/get', { projectId, contractId, includeHistory: true }).catch(() => undefined)

/** A project of both repos, each claimed, at both. */
export async function openFeature(here: TestDaemon, plain: ServedPlainPeer): Promise<string> {
  const { projectId } = await here.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: REPOS,
  })
  await expect.poll(() => held(plain, projectId)).toBeDefined()
  await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })
  return projectId
}

/** A daemon whose folder outlives it. */
export async function startIn(folder: string, rules: ReplicationRules = RULES) {
  const agentId = 'aid://example.com/backend@1.0.0'
  const flags = { repo: 'backend-api', agentId, port: 0, data: join(folder, '.cacp'), open: true }
  const config = await loadConfig({ flags, env: {}, cwd: folder })
  const running = await startDaemon(config, { log: pino({ level: 'silent' }), rules })
  const key = (await readFile(join(folder, '.cacp', 'operator.key'), 'utf8')).trim()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    rpc: async (method: string, params: object): Promise<any> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const reply = await request(running.url, { method: 'POST', headers, body })
      return ((await reply.body.json()) as { result: unknown }).result
    },
    warnings: async (): Promise<string[]> => {
      const reply = await request(`${running.url}/health`, { headers })
      return ((await reply.body.json()) as { warnings: string[] }).warnings
    },
    stop: () => running[Symbol.asyncDispose](),
  }
}

export const propose = async (
  here: TestDaemon,
  projectId: string,
  name = 'Me',
  content: object = { v: 1 },
) => {
  const { contractId } = await here.rpc('cacp/contract/propose', { projectId, type: 'custom', name, content })
  return contractId as string
}

/** Waits until the peer was asked nothing but whether something is new for a while; returns what it was asked. */
export async function quiet(plain: ServedPlainPeer, millis = 4 * LOOK_MILLIS): Promise<string[]> {
  let count: number
  do {
    count = syncs(plain).length
    await new Promise((resolve) => setTimeout(resolve, millis))
  } while (syncs(plain).length > count)
  return syncs(plain)
}

export const syncs = ({ requests }: ServedPlainPeer): string[] =>
  requests.map(({ body }) => (body as { method: string }).method).filter((method) => method.endsWith('/sync'))
