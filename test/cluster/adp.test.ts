import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { openIdentity } from '../../src/io/identity/identity.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { exchange } from '../support/daemons/exchange.ts'
import { signKnownToken } from '../support/network/known-token.ts'
import { plainManifest } from '../support/network/manifests.ts'

const BACKEND = 'aid://example.com/backend@1.0.0'
const FRONTEND = {
  repo: 'frontend-app',
  role: 'frontend',
  language: 'typescript',
  agentId: 'aid://example.com/frontend@1.0.0',
} satisfies Partial<Config>
const BOUND = { timeout: 10_000 }
const DEAD = 'http://127.0.0.1:9'

const commands = (at: TestDaemon) => (words: string[]) => cacpd(words, { cwd: dirname(at.dataDir) })

describe('a daemon with an exchange', () => {
  test('is found by another one, which asks it to be let in', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url })
    await using frontend = await daemon({ ...FRONTEND, adpExchange: there.url, requireAdp: true })
    const run = commands(backend)
    await there.register(plainManifest({ aid: 'aid://d/other@1.0.0', name: 'Other' }))

    const { out } = await run(['discover'])
    expect(out).toMatch(/^agents:\n {2}agentId +name +role +languages +signature +endpoint\n/)
    expect(out).toMatch(/aid:\/\/d\/other@1\.0\.0 +Other +backend +python +none +http:\/\/localhost:8080\n/)
    expect(out).toMatch(/frontend@1\.0\.0 +CACP Agent \(frontend-app\) +frontend +typescript +valid +http:/)
    for (const words of [['--role', 'frontend'], ['--language', 'TypeScript'], ['fronted app'], ['fro']]) {
      const found = JSON.parse((await run(['discover', ...words, '--json'])).out)
      expect(found.agents.map((agent: { agentId: string }) => agent.agentId)).toContain(FRONTEND.agentId)
    }
    expect((await run(['discover', '--role', 'mobile'])).out).toMatch(/^agents: none\n/)

    const added = await run(['discover', 'frontend', '--role', 'frontend', '--add'])
    expect(added).toMatchObject({ exitCode: 0 })
    expect(added.out).toMatch('theirStatus: pending')
    expect(added.err).toMatch('`cacpd invite`')
    expect((await frontend.rpc('cacp/peer/list')).peers).toMatchObject([
      { agentId: BACKEND, trust: 'pending' },
    ])
    // Nothing of ours goes to somebody who has not let us in.
    expect((await backend.rpc('cacp/peer/list')).peers).toEqual([])
  })

  test('connects with one that needs no more than to be asked', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url, open: true })
    await using frontend = await daemon({ ...FRONTEND, adpExchange: there.url, requireAdp: true, open: true })
    const added = await commands(backend)(['discover', '--add', FRONTEND.agentId])
    expect(added).toEqual({
      exitCode: 0,
      err: '',
      out: `agentId: ${FRONTEND.agentId}\nendpoint: ${frontend.url}\ntheirStatus: registered\n`,
    })
    const { projectId } = await frontend.rpc('cacp/project/create', { name: 'a', objective: 'b' })
    await expect
      .poll(() => backend.rpc('cacp/project/get', { projectId }).catch(() => null), BOUND)
      .not.toBeNull()
  })

  test('adds nobody by a name that somebody else registered, nor one that is not there', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url })
    await using frontend = await daemon(FRONTEND)
    const endpoint = (url: string) => ({ invocation: { protocols: [{ type: 'cacp', endpoint: url }] } })
    await there.register(plainManifest({ aid: 'aid://d/liar@1.0.0', ...endpoint(frontend.url) }))
    await there.register(plainManifest({ aid: 'aid://d/gone@1.0.0', ...endpoint(DEAD) }))
    await there.register(plainManifest({ aid: 'aid://d/odd@1.0.0', ...endpoint('file:///etc/passwd') }))
    const run = commands(backend)
    for (const [aid, message] of [
      ['aid://d/liar@1.0.0', 'is not that of the aid://d/liar@1.0.0 which the exchange knows'],
      ['aid://d/gone@1.0.0', 'cannot be reached'],
      ['aid://d/odd@1.0.0', 'names no http(s) URL'],
      ['aid://d/nobody@1.0.0', 'No CACP agent aid://d/nobody@1.0.0 is registered'],
    ] as const) {
      const { exitCode, err } = await run(['discover', '--add', aid])
      expect([exitCode, err]).toEqual([1, expect.stringContaining(message)])
    }
    expect((await frontend.rpc('cacp/peer/list')).peers).toEqual([])
    expect((await run(['discover', '--add'])).err).toMatch('3 were found')
    expect((await run(['discover', '--add', 'odd'])).err).toMatch('--add: must be an agent ID')
  })

  test('tells the exchange when its key was replaced, and the old key has no say any more', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url, requireAdp: true })
    const path = `/v1/agents/${encodeURIComponent(BACKEND)}`
    const keyThere = async () => (await there.get(path)).json.manifest.security.signingKeys.current
    const before = (await there.get(path)).json
    await backend.rpc('cacp/identity/rotate')
    await backend.rpc('cacp/identity/rotate')
    const { publicKey } = await backend.rpc('cacp/identity/get')
    const expected = `ed25519:${Buffer.from(publicKey.x, 'base64url').toString('base64')}`
    await expect.poll(keyThere, BOUND).toBe(expected)
    expect((await there.get(path)).json.verified).toBe(true)
    expect((await there.register(before.manifest)).status).toBe(409)
  })

  test('of a daemon that was told of none nothing is asked', async () => {
    await using backend = await daemon()
    const { exitCode, err } = await commands(backend)(['discover'])
    expect(exitCode).toBe(1)
    expect(err).toMatch('told of no ADP exchange')
    expect(err).toMatch('next: Start it with --adp-exchange URL')
  })
})

describe('a daemon that must be registered', () => {
  test('does not start without, whether or not it was also told to register', async () => {
    for (const registerAdp of [true, false])
      await expect(daemon({ adpExchange: DEAD, requireAdp: true, registerAdp })).rejects.toThrow(
        /must be registered, and is not: The exchange at .* cannot be reached/,
      )
  })

  test('does not start where its name is taken by another key', async () => {
    await using there = await exchange()
    {
      await using _first = await daemon({ adpExchange: there.url, requireAdp: true })
    }
    await expect(daemon({ adpExchange: there.url, requireAdp: true })).rejects.toThrow(
      'with another signing key',
    )
  })

  test('starts again and again', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url, requireAdp: true })
    await backend.restart()
    expect((await there.get('/v1/agents/')).json).toMatchObject({ total: 1, results: [{ verified: true }] })
  })

  test('and one that only wants to be starts without', async () => {
    await using backend = await daemon({ adpExchange: DEAD, registerAdp: true })
    expect((await backend.fetch('/health')).status).toBe(200)
  })
})

describe('an agent that is only registered with the exchange', () => {
  const tokenOf = async (of: TestDaemon, audience = BACKEND) =>
    signKnownToken(
      { identity: await openIdentity(of.dataDir, systemClock), clock: systemClock },
      { agentId: FRONTEND.agentId, audience },
    )
  const withToken = (token: string) => ({ authorization: `Bearer ${token}` })

  test('reads what all may see, once per token also after a restart, and writes nothing', async () => {
    await using there = await exchange()
    await using backend = await daemon({ adpExchange: there.url, allowKnown: true })
    await using frontend = await daemon({ ...FRONTEND, adpExchange: there.url, requireAdp: true })
    const all = await backend.rpc('cacp/project/create', { name: 'all', objective: 'x' })
    await backend.rpc('cacp/project/create', { name: 'few', objective: 'x', visibility: 'members' })

    const token = await tokenOf(frontend)
    const { projects } = await backend.rpc('cacp/project/list', {}, withToken(token))
    expect(projects.map((one: { projectId: string }) => one.projectId)).toEqual([all.projectId])
    const call = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }
    expect((await backend.post(call, withToken(token))).status).toBe(401)
    await backend.restart()
    expect((await backend.post(call, withToken(token))).status).toBe(401)
    const write = { ...call, method: 'cacp/project/create', params: { name: 'a', objective: 'b' } }
    expect((await backend.post(write, withToken(await tokenOf(frontend)))).status).toBe(403)
    const elsewhere = await tokenOf(frontend, 'aid://example.com/other@1.0.0')
    expect((await backend.post(call, withToken(elsewhere))).status).toBe(401)
  })

  test('is a stranger where that was not allowed, or where it is not registered', async () => {
    await using there = await exchange()
    await using closed = await daemon({ adpExchange: there.url })
    await using allowing = await daemon({ adpExchange: there.url, allowKnown: true })
    await using frontend = await daemon({ ...FRONTEND, adpExchange: there.url })
    for (const backend of [closed, allowing])
      expect((await backend.fetch('/peers', { headers: withToken(await tokenOf(frontend)) })).status).toBe(
        401,
      )
  })
})
