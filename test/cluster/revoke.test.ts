import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/protocol/limits.ts'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { ManualClock } from '../support/desk/desk.ts'
import { arrives, BOUND, bothHealthy, createProject, FRONTEND, healthOf, pair, peersOf } from './pairs.ts'

/** Where Node tells of every request that it begins to answer. */
const SERVED = 'http.server.request.start'

describe('a peer that is revoked', () => {
  test('is refused at once, also on a connection that is open', async () => {
    await using backend = await daemon()
    const caller = new Agent({ connections: 1, pipelining: 1 })
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { agentId } = mobile
    const { body: answer } = await mobile.pair(url)
    const ask = async () => {
      const { statusCode, body } = await request(`${backend.url}/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${answer['apiKey']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }),
        dispatcher: caller,
      })
      await body.dump()
      return statusCode
    }
    expect(await ask()).toBe(200)
    const revoked = await cacpd(['peers', 'revoke', agentId, '--json'], { cwd: dirname(backend.dataDir) })
    expect(JSON.parse(revoked.out)).toEqual({ agentId, status: 'revoked' })
    expect(await ask()).toBe(401)
    await caller.close()
  })

  test('does not finish a call that it had begun', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body: answer } = await mobile.pair(url)
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'cacp/project/create',
      params: { name: 'late', objective: 'o' },
    })
    const begun = httpRequest(backend.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${answer['apiKey']}`, 'content-type': 'application/json' },
    })
    const answered = once(begun, 'response')
    begun.write(call.slice(0, 20))
    const [socket] = await once(begun, 'socket')
    if (socket.connecting) await once(socket, 'connect')
    // Whoever comes later is served later: by then the first part has been looked at.
    await backend.fetch('/health')
    await backend.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
    begun.end(call.slice(20))
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(401)
    expect((await backend.rpc('cacp/project/list')).projects).toEqual([])
  })

  test('is cut off in the midst of a file that it fetches, also while it reads no further', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body: answer } = await mobile.pair(url)
    const authorization = `Bearer ${answer['apiKey']}`
    const { json } = await backend.fetch('/files', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(LIMITS.fileBytes, 'x'),
    })
    const served: ServerResponse[] = []
    const note = (message: unknown) => served.push((message as { response: ServerResponse }).response)
    subscribe(SERVED, note)
    const fetching = httpRequest(`${backend.url}${json.savedTo}`, { headers: { authorization } })
    fetching.on('error', () => {})
    fetching.end()
    const [response] = await once(fetching, 'response')
    unsubscribe(SERVED, note)
    expect(response.statusCode).toBe(200)
    const [serving] = served
    // The daemon has handed over as much as the network takes, which is less than the file.
    let written = -1
    const isWaiting = () => {
      const before = written
      written = serving?.socket?.bytesWritten ?? 0
      return serving?.writableNeedDrain === true && written === before
    }
    await expect.poll(isWaiting, BOUND).toBe(true)
    await backend.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
    await expect.poll(() => serving?.destroyed, BOUND).toBe(true)
    expect(serving?.writableFinished).toBe(false)
  })

  test('does not finish a file that it had begun to hand over', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body: answer } = await mobile.pair(url)
    const begun = httpRequest(`${backend.url}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${answer['apiKey']}`, 'content-type': 'application/octet-stream' },
    })
    const answered = once(begun, 'response')
    begun.write('the first half')
    const [socket] = await once(begun, 'socket')
    if (socket.connecting) await once(socket, 'connect')
    await backend.fetch('/health')
    await backend.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
    begun.end(', and the rest')
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(401)
    expect(await readdir(join(backend.dataDir, 'files'))).toEqual([])
  })

  test('hears nothing more, and is only pending when it comes again', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    await backend.rpc('cacp/peer/revoke', { agentId: FRONTEND.agentId })
    expect(await peersOf(backend)).toMatchObject([{ trust: 'revoked', health: 'revoked' }])
    await createProject(backend)
    await frontend.rpc('cacp/peer/sync', {})
    await expect.poll(() => healthOf(frontend), BOUND).not.toEqual(['healthy'])
    expect((await frontend.rpc('cacp/project/list')).projects).toEqual([])
    const body = JSON.stringify({
      agentId: FRONTEND.agentId,
      endpoint: frontend.url,
      repoName: 'frontend-app',
    })
    const headers = { 'content-type': 'application/json', authorization: '' }
    const { json } = await backend.fetch('/peers/register', { method: 'POST', headers, body })
    expect(json).toEqual({ status: 'pending', peerCount: 0 })
    const approved = await cacpd(['peers', 'approve', 'frontend-app'], { cwd: dirname(backend.dataDir) })
    expect(approved).toMatchObject({ exitCode: 0, err: expect.stringContaining('It has no key') })
    // What it can have again it gets by an invite.
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
  })
})

describe('a key', () => {
  test('is renewed while it is in use, and the old one ends with the first use of the new one', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    const [old = ''] = await keysKeptBy(frontend)
    expect(await statusWith(old, backend)).toBe(200)
    const renewed = await cacpd(['peers', 'renew', 'frontend-app', '--json'], {
      cwd: dirname(backend.dataDir),
    })
    expect(JSON.parse(renewed.out)).toEqual({ agentId: FRONTEND.agentId, status: 'renewed' })
    const next = (await keysKeptBy(frontend)).at(-1) ?? ''
    expect(next).not.toBe(old)
    await expect.poll(() => statusWith(old, backend), BOUND).toBe(401)
    expect(await statusWith(next, backend)).toBe(200)
    const projectId = await createProject(frontend)
    await arrives(backend, projectId)
    await bothHealthy(backend, frontend)
  })

  test('that is renewed several times at once leaves the peer with one that goes on working', async () => {
    const clock = new ManualClock()
    await using backend = await daemon({}, { clock })
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    const renew = () => backend.rpc('cacp/peer/renew', { agentId: FRONTEND.agentId })
    await Promise.all([renew(), renew(), renew()])
    const last = (await keysKeptBy(frontend)).at(-1) ?? ''
    clock.advance(2 * LIMITS.keyOverlapSeconds)
    expect(await statusWith(last, backend)).toBe(200)
  })

  test('is not lost where a newer one could never be handed over', async () => {
    await using backend = await daemon()
    const frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    const [old = ''] = await keysKeptBy(frontend)
    await frontend[Symbol.asyncDispose]()
    for (let times = 0; times <= LIMITS.liveKeys; times++)
      await expect(backend.rpc('cacp/peer/renew', { agentId: FRONTEND.agentId })).rejects.toThrow(
        'cannot be reached',
      )
    expect(await statusWith(old, backend)).toBe(200)
  })

  test('cannot be renewed for a peer that was never paired', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon({ ...FRONTEND, open: true })
    await backend.rpc('cacp/peer/add', { url: frontend.url })
    await expect(backend.rpc('cacp/peer/renew', { agentId: FRONTEND.agentId })).rejects.toThrow(
      'was not paired',
    )
  })
})

/** The keys that a daemon was given to call others with, in the order in which they came. */
async function keysKeptBy({ dataDir }: TestDaemon): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('journal'))
  const texts = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')))
  return texts.join('').match(/cacp_sk_live_[\w-]{43}/g) ?? []
}

async function statusWith(key: string, at: TestDaemon): Promise<number> {
  const call = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }
  return (await at.post(call, { authorization: `Bearer ${key}` })).status
}
