import { expect } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { TestDaemon } from '../support/daemons/daemon.ts'

/** All of these daemons let nobody in without a key. */
export const BACKEND = 'aid://example.com/backend@1.0.0'
export const FRONTEND: Partial<Config> = {
  repo: 'frontend-app',
  role: 'frontend',
  agentId: 'aid://example.com/frontend@1.0.0',
}
export const MOBILE: Partial<Config> = {
  repo: 'mobile-app',
  role: 'mobile',
  agentId: 'aid://example.com/mobile@1.0.0',
}
export const BOUND = { timeout: 10_000 }

export const peersOf = async (at: TestDaemon) => (await at.rpc('cacp/peer/list')).peers
export const healthOf = async (at: TestDaemon) =>
  (await peersOf(at)).map((peer: { health: string }) => peer.health)
export const wordsOf = async (at: TestDaemon) =>
  (await peersOf(at)).map((one: { fingerprint: string }) => one.fingerprint)
export const bothHealthy = (one: TestDaemon, other: TestDaemon) =>
  expect
    .poll(async () => [await healthOf(one), await healthOf(other)], BOUND)
    .toEqual([['healthy'], ['healthy']])

export async function pair(inviter: TestDaemon, joiner: TestDaemon, invite: object = {}) {
  const { url } = await inviter.rpc('cacp/invite/create', invite)
  return joiner.rpc('cacp/peer/join', { url })
}

export const createProject = async (at: TestDaemon, more: object = {}): Promise<string> =>
  (await at.rpc('cacp/project/create', { name: 'Auth', objective: 'log in', ...more })).projectId

export const arrives = (at: TestDaemon, projectId: string) =>
  expect.poll(() => at.rpc('cacp/project/get', { projectId }).catch(() => null), BOUND).not.toBeNull()
