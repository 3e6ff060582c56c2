import { describe, expect, test } from 'vitest'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import {
  connect,
  contractAt,
  heldContract,
  openFeature,
  PLAIN,
  propose,
  quiet,
  SLOW,
  start,
} from './plain-story.ts'

describe('a contract', () => {
  test('is negotiated, implemented and verified across (CACP-20)', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    const there = (method: string, params: object = {}) =>
      plain.peer.call(`cacp/${method}`, { projectId, contractId, ...params })
    const us = (method: string, params: object = {}) =>
      here.rpc(`cacp/${method}`, { projectId, contractId, ...params })
    const both = async (expected: object) => {
      await expect.poll(() => contractAt(here, projectId, contractId)).toMatchObject(expected)
      await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject(expected)
    }
    await both({ status: 'proposed' })
    await there('contract/respond', { action: 'request_change' })
    await both({ status: 'negotiating' })
    await there('contract/update', { content: { v: 2 }, changeNotes: 'two' })
    await both({ status: 'proposed', version: 2, content: { v: 2 } })
    expect((await contractAt(here, projectId, contractId)).head.change_notes).toBe('two')
    await us('contract/respond', { action: 'request_change' })
    await both({ status: 'negotiating', version: 2 })
    await us('contract/update', { content: { v: 3 }, changeNotes: 'three' })
    await both({
      status: 'proposed',
      version: 3,
      content: { v: 3 },
      history: [{ version: 1 }, { version: 2 }],
    })
    await there('contract/respond', { action: 'agree' })
    await both({ status: 'agreed', version: 3 })
    await there('contract/respond', { action: 'reject' })
    await both({ status: 'negotiating' })
    await there('contract/respond', { action: 'agree' })
    await both({ status: 'agreed' })
    await us('implementation/start', { plan: 'p', estimatedFiles: ['a.ts'] })
    await there('implementation/start', { plan: 'q', estimatedFiles: ['b.py'] })
    await us('implementation/complete', { files: ['a.ts'], notes: 'n' })
    await both({ status: 'agreed' })
    await there('implementation/complete', { files: ['b.py'], testEndpoint: 'http://t' })
    await both({ status: 'implemented' })
    await there('implementation/verify', { result: 'failure' })
    await both({
      status: 'agreed',
      implementations: [{ status: 'needs_revision' }, { status: 'needs_revision' }],
    })
    for (const act of [us, there]) {
      await act('implementation/start')
      await act('implementation/complete', { files: ['again'] })
    }
    await both({ status: 'implemented' })
    await there('implementation/verify', { result: 'success' })
    await both({ status: 'verified' })
    const { responses, verifications } = await contractAt(here, projectId, contractId)
    expect(responses.map((one: { agent_id: string; action: string }) => [one.agent_id, one.action])).toEqual([
      [PLAIN, 'request_change'],
      ['aid://example.com/backend@1.0.0', 'request_change'],
      [PLAIN, 'agree'],
      [PLAIN, 'reject'],
      [PLAIN, 'agree'],
    ])
    expect(verifications.map((one: { result: string }) => one.result)).toEqual(['failure', 'success'])
    const count = (await quiet(plain)).length
    expect((await quiet(plain)).length).toBe(count)
  })

  test.each(['agree', 'reject'])('that it wrote itself is not moved by its own %s', async (action) => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const proposal = { projectId, type: 'custom', name: 'C', content: { v: 1 } }
    const { contractId } = await plain.peer.call('cacp/contract/propose', proposal)
    const at = { projectId, contractId }
    if (action === 'reject') await here.rpc('cacp/contract/respond', { ...at, action: 'agree' })
    const status = action === 'reject' ? 'agreed' : 'proposed'
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ status })
    await plain.peer.call('cacp/contract/respond', { ...at, action })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ status })
    expect((await contractAt(here, projectId, contractId)).responses).toHaveLength(
      action === 'reject' ? 1 : 0,
    )
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ status })
  })

  test('an older version with a newer time does not win here, and is mended there', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const old = heldContract(plain, projectId, contractId)
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ version: 2 })
    const late = { ...old, content: { v: 0 }, updated_at: '2099-01-01T00:00:00.000000' }
    expect(
      await plain.peer.call('cacp/contract/sync', { projectId, contract: late, source_agent: 'x' }),
    ).toMatchObject({ status: 'updated', version: 1 })
    await expect
      .poll(() => heldContract(plain, projectId, contractId))
      .toMatchObject({ version: 2, content: { v: 2 } })
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ version: 2, content: { v: 2 } })
    const asIts = { 'x-agent-id': PLAIN, authorization: '' }
    await here.rpc(
      'cacp/contract/sync',
      {
        projectId,
        contract: { ...old, updated_at: new Date().toISOString().slice(0, -1) },
        source_agent: PLAIN,
      },
      asIts,
    )
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ version: 2, content: { v: 2 } })
  })

  test('shown again with other times changes nothing', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ version: 2 })
    await quiet(plain)
    const before = await contractAt(here, projectId, contractId)
    const contract = heldContract(plain, projectId, contractId)
    const stamped = new Date(Date.now() + 5000).toISOString().replace('Z', '000')
    const again = {
      ...contract,
      updated_at: stamped,
      history: contract?.history.map((one) => ({ ...one, timestamp: stamped })),
    }
    const answer = await here.rpc(
      'cacp/contract/sync',
      { projectId, contract: again, source_agent: PLAIN },
      { 'x-agent-id': PLAIN, authorization: '' },
    )
    expect(answer).toMatchObject({ status: 'skipped' })
    expect(await contractAt(here, projectId, contractId)).toEqual(before)
  })

  test('of two concurrent versions the loser is kept on both sides', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    await plain.stop()
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 'ours' } })
    await plain.peer.call('cacp/contract/update', { projectId, contractId, content: { v: 'theirs' } })
    await plain.start()
    await expect
      .poll(async () => (await contractAt(here, projectId, contractId)).conflicts, SLOW)
      .toHaveLength(1)
    await quiet(plain)
    const { content, conflicts, history } = await contractAt(here, projectId, contractId)
    expect(new Set([content.v, conflicts[0].content.v])).toEqual(new Set(['ours', 'theirs']))
    expect(heldContract(plain, projectId, contractId)).toMatchObject({ content, version: 2 })
    expect(heldContract(plain, projectId, contractId)?.history.map((one) => one.content)).toEqual(
      history.map((one: { content: object }) => one.content),
    )
  })

  test('that cannot be taken, its clock being far ahead, is not overwritten there', async () => {
    let ahead = 0
    await using plain = await servePlainPeer({ clock: () => Date.now() + ahead })
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    ahead = 3_600_000
    await plain.peer.call('cacp/contract/update', { projectId, contractId, content: { v: 'theirs' } })
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 'ours' } })
    const aside = async () => (await here.rpc('cacp/peer/list')).peers[0].aside
    await expect.poll(aside).toContainEqual(
      expect.objectContaining({
        key: `contract ${projectId} ${contractId}`,
        reason: expect.stringContaining('ahead'),
      }),
    )
    await quiet(plain)
    expect(heldContract(plain, projectId, contractId)).toMatchObject({ content: { v: 'theirs' } })
  })
})
