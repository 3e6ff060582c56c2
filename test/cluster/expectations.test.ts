import { afterEach, describe, expect, test, vi } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import {
  connect,
  contractAt,
  heldContract,
  openFeature,
  propose,
  quiet,
  RULES,
  SLOW,
  start,
} from './plain-story.ts'

/** What repos expect and accept, among those who do not know that there is such a thing. */

const KINDS = '../../src/domain/statements/kinds.ts'
const ME = { method: 'GET', path: '/me', response: { id: 'uuid', email: 'email' }, errors: { 401: {} } }
const WITHOUT_EMAIL = { ...ME, response: { id: 'uuid' } }

/** A daemon in whose table of kinds there are no expectations. */
async function olderDaemon(flags: object): Promise<TestDaemon> {
  vi.resetModules()
  vi.doMock(KINDS, async (original) => {
    const known = await original<typeof import('../../src/domain/statements/kinds.ts')>()
    return { ...known, KINDS: new Map([...known.KINDS].filter(([name]) => name !== 'expectation')) }
  })
  const { KINDS: kinds } = await import(KINDS)
  expect(kinds.has('expectation')).toBe(false)
  const { daemon: start } = await import('../support/daemons/daemon.ts')
  return start({ open: true, ...flags }, { rules: RULES })
}

afterEach(() => {
  vi.doUnmock(KINDS)
  vi.resetModules()
})

const agentOf = (repo: string) => ({ repo, agentId: `aid://example.com/${repo}@1.0.0` })
const digestsOf = (at: TestDaemon) => at.rpc('cacp/sync/digest')
const differentDigests = async (...all: TestDaemon[]) =>
  new Set((await Promise.all(all.map(digestsOf))).map((one) => JSON.stringify(one))).size

describe('expectations and acceptances', () => {
  test('pass through a daemon that does not know them, and all three are equal', async () => {
    await using backend = await daemon({ open: true }, { rules: RULES })
    await using between = await olderDaemon(agentOf('gateway'))
    await using frontend = await daemon(
      { open: true, ...agentOf('frontend-app'), role: 'frontend' },
      { rules: RULES },
    )
    await connect(backend, between)
    await connect(between, frontend)
    const repos = ['backend-api', 'frontend-app'].map((name) => ({ name }))
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Auth', objective: '', repos })
    const there = (at: TestDaemon) => () => at.rpc('cacp/project/get', { projectId }).catch(() => null)
    await expect.poll(there(frontend), SLOW).not.toBeNull()
    await frontend.rpc('cacp/project/join', { projectId })
    const contractId = await propose(backend, projectId, 'Me', ME)
    const ids = { projectId, contractId }
    const agree = (more: object = {}) =>
      frontend.rpc('cacp/contract/respond', { ...ids, action: 'agree', ...more }).catch(() => null)
    await expect.poll(agree, SLOW).toMatchObject({ status: 'agreed' })
    for (const tolerates of [['null'], [], ['new_fields']])
      await frontend.rpc('cacp/contract/expect', { ...ids, tolerates })
    await frontend.rpc('cacp/contract/expect', { ...ids, uses: ['response.200.body.email'] })
    await expect.poll(() => backend.rpc('cacp/contract/get', ids), SLOW).toMatchObject({ status: 'agreed' })
    await backend.rpc('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    await expect
      .poll(() => agree({ version: 2, accepts: 'all' }), SLOW)
      .toMatchObject({ review: { verdict: 'breaking' } })
    await expect
      .poll(() => backend.rpc('cacp/contract/review', { ...ids, from: 1 }), SLOW)
      .toMatchObject({
        repos: [
          {
            repo: 'frontend-app',
            verdict: 'breaking',
            accepted: [{ by: 'aid://example.com/frontend-app@1.0.0' }],
          },
        ],
      })
    await expect.poll(() => differentDigests(backend, between, frontend), SLOW).toBe(1)
    await using newcomer = await olderDaemon(agentOf('latecomer'))
    await connect(newcomer, between)
    await expect.poll(() => differentDigests(newcomer, between, frontend), SLOW).toBe(1)
    expect((await digestsOf(newcomer)).projects).toHaveLength(1)
  }, 60_000)

  test('are nothing to a plain peer, with which everything else goes on', async () => {
    await using plain = await servePlainPeer()
    await using here = await start({ role: 'frontend' })
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId, 'Me', ME)
    const ids = { projectId, contractId }
    const both = async (expected: object) => {
      await expect.poll(() => contractAt(here, projectId, contractId), SLOW).toMatchObject(expected)
      await expect.poll(() => heldContract(plain, projectId, contractId), SLOW).toMatchObject(expected)
    }
    await both({ status: 'proposed' })
    await plain.peer.call('cacp/contract/respond', { ...ids, action: 'agree' })
    await both({ status: 'agreed' })
    const before = await quiet(plain)
    const uses = ['response.200.body.email']
    await here.rpc('cacp/contract/expect', { ...ids, side: 'consumer', uses, sites: {} })
    expect(await quiet(plain)).toEqual(before)
    await plain.peer.call('cacp/contract/respond', { ...ids, action: 'request_change' })
    await plain.peer.call('cacp/contract/update', { ...ids, content: WITHOUT_EMAIL })
    await both({ status: 'proposed', version: 2 })
    expect(
      await here.rpc('cacp/contract/respond', { ...ids, action: 'agree', accepts: 'all' }),
    ).toMatchObject({ contractStatus: 'agreed', review: { repos: [{ accepted: [{}] }] } })
    await both({ status: 'agreed', version: 2, content: WITHOUT_EMAIL })
    await quiet(plain)
    await both({ status: 'agreed', version: 2 })
  }, 60_000)
})
