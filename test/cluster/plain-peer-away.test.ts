import { describe, expect, test } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import {
  connect,
  contractAt,
  held,
  heldContract,
  openFeature,
  PLAIN,
  projectAt,
  propose,
  quiet,
  REPOS,
  RULES,
  SLOW,
  start,
  startIn,
  syncs,
} from './plain-story.ts'

describe('a plain peer that goes away', () => {
  test('gets the 500 changes it slept through, and we get what it did meanwhile', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    await quiet(plain)
    await plain.stop()
    const contracts: string[] = []
    for (let index = 0; index < 100; index++) {
      const contractId = await propose(here, projectId, `C${index}`)
      contracts.push(contractId)
      await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
      for (const question of ['a', 'b', 'c'])
        await here.rpc('cacp/context/askQuestion', { projectId, question })
    }
    const { contractId: theirs } = await plain.peer.call('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Theirs',
      content: {},
    })
    await plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: { n: 1 } })
    await plain.start()
    await expect.poll(() => held(plain, projectId)?.context_history.length, SLOW).toBe(301)
    await expect.poll(() => held(plain, projectId)?.contracts.length, SLOW).toBe(101)
    await quiet(plain)
    expect(new Set(held(plain, projectId)?.contracts.map((one) => one.version))).toEqual(new Set([1, 2]))
    expect(await contractAt(here, projectId, theirs)).toMatchObject({ name: 'Theirs', status: 'proposed' })
    expect((await projectAt(here, projectId)).context_history).toHaveLength(301)
    expect(syncs(plain).filter((method) => method === 'cacp/project/sync')).toHaveLength(1)
  })

  test('is behind by what was done here since', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    await quiet(plain)
    await plain.stop()
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/project/create', { name: 'Ours', objective: '', visibility: 'members' })
    await expect
      .poll(() => here.rpc('cacp/peer/list'), SLOW)
      .toMatchObject({ peers: [{ isHealthy: false, behind: 1 }] })
    expect(await here.rpc('cacp/outbox/list')).toMatchObject({
      items: [{ kind: 'contract', id: contractId }],
      peers: [{ behind: 1 }],
    })
  })

  test('is registered with again after its restart, also when nothing failed', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    plain.peer.restart()
    await expect
      .poll(async () => ((await plain.peer.handleHttp('GET', '/peers')).body as { peers: object[] }).peers)
      .toMatchObject([{ agentId: 'aid://example.com/backend@1.0.0', isHealthy: true }])
    await plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: {} })
    expect((await projectAt(here, projectId)).context_history).toHaveLength(1)
  })

  test('gets back what it lost, and loses nothing that we do not know', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/context/askQuestion', { projectId, question: '?' })
    await expect.poll(() => held(plain, projectId)?.context_history).toHaveLength(1)
    const project = held(plain, projectId)
    const emptied = {
      ...project,
      contracts: [],
      context_history: [],
      updated_at: '2099-01-01T00:00:00.000000',
    }
    await plain.peer.call('cacp/project/sync', { project: emptied })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await expect.poll(() => held(plain, projectId)?.context_history).toHaveLength(1)
    expect((await projectAt(here, projectId)).contracts).toHaveLength(1)
  })

  test('what it would not take is set aside, blocks nobody and is tried again', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const { peer } = plain
    const answer = peer.handleRpc.bind(peer)
    peer.handleRpc = async (body, headers) =>
      JSON.stringify(body).includes('poison')
        ? { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'I cannot' } }
        : answer(body, headers)
    const poison = await propose(here, projectId, 'poison')
    const good = await propose(here, projectId, 'good')
    await expect.poll(() => heldContract(plain, projectId, good)).toBeDefined()
    const aside = async () => (await here.rpc('cacp/peer/list')).peers[0].aside
    await expect.poll(aside).toMatchObject([{ key: `contract ${projectId} ${poison}`, reason: 'I cannot' }])
    peer.handleRpc = answer
    await expect.poll(() => heldContract(plain, projectId, poison)).toBeDefined()
    await expect.poll(aside).toEqual([])
  })

  test('an edit that it cannot show for a moment is not erased', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    await plain.stop()
    plain.peer.restart()
    await plain.peer.call('cacp/contract/update', { projectId, contractId, content: { v: 'theirs' } })
    const { peer } = plain
    const answer = peer.handleRpc.bind(peer)
    let refusals = 0
    peer.handleRpc = async (body, headers) => {
      if (!(body as { method: string }).method.endsWith('/get')) return answer(body, headers)
      refusals++
      return { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'database is locked' } }
    }
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 'ours' } })
    await plain.start()
    await expect.poll(() => refusals, SLOW).toBeGreaterThan(3)
    await quiet(plain)
    expect(heldContract(plain, projectId, contractId)).toMatchObject({ content: { v: 'theirs' } })
    peer.handleRpc = answer
    const contents = async () => {
      const { content, conflicts } = await contractAt(here, projectId, contractId)
      return [content.v, ...conflicts.map((one: { content: { v: string } }) => one.content.v)].sort()
    }
    await expect.poll(contents, SLOW).toEqual(['ours', 'theirs'])
  })

  test('a project that it lost comes back whole', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    await plain.stop()
    await using wiped = await servePlainPeer()
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: PLAIN, endpoint: wiped.url, repoName: 'plain-api' }),
    })
    await expect
      .poll(() => heldContract(wiped, projectId, contractId), SLOW)
      .toMatchObject({ status: 'proposed' })
    expect(held(wiped, projectId)?.repos[1]).toMatchObject({ assigned_agent: PLAIN })
  })
})

describe('our own restart', () => {
  test('is survived: it speaks to us again, what it did is taken, and nothing is sent twice', async () => {
    await using plain = await servePlainPeer()
    await using folder = await folderWith()
    const first = await startIn(folder.path)
    await first.rpc('cacp/peer/add', { url: plain.url })
    const { projectId } = await first.rpc('cacp/project/create', { name: 'A', objective: 'o', repos: REPOS })
    await expect.poll(() => held(plain, projectId)).toBeDefined()
    await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })
    const { contractId } = await first.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const before = await quiet(plain)
    await first.stop()
    const share = () => plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: {} })
    for (let failures = 0; failures < 4; failures++) await share()
    await plain.peer.call('cacp/contract/respond', { projectId, contractId, action: 'agree' })

    // So rarely looked at that only its own calls can tell.
    const again = await startIn(folder.path, { ...RULES, repairEveryMillis: 60_000 })
    const packets = async () => (await again.rpc('cacp/context/list', { projectId })).packets.length
    await expect.poll(packets).toBe(4)
    expect(await again.rpc('cacp/contract/get', { projectId, contractId })).toMatchObject({
      status: 'agreed',
    })
    await share()
    expect(await packets()).toBe(5)
    // That it listens elsewhere now is new.
    expect((await quiet(plain)).filter((method) => method !== 'cacp/repo/sync')).toEqual(before)
    await again.stop()
  })
})
