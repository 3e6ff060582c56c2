import { describe, expect, test } from 'vitest'
import { BAD_PARAMS, FUTURE, NAIVE, openContract, PAST, SERVER_ERROR } from './story.ts'

describe('its contracts', () => {
  test('agree needs proposed or negotiating, and the proposer may agree to itself', async () => {
    const { on } = await openContract()
    const agreed = { status: 'agreed', contractVersion: 1, contractStatus: 'agreed' }
    expect(await on('contract/respond', { action: 'agree' })).toEqual(agreed)
    await expect(on('contract/respond', { action: 'agree' })).rejects.toMatchObject(BAD_PARAMS)
  })
  test('request_change answers the same when it changes nothing', async () => {
    const { on } = await openContract()
    await on('contract/respond', { action: 'agree' })
    expect(await on('contract/respond', { action: 'request_change' })).toMatchObject({
      status: 'change_requested',
      contractStatus: 'agreed',
    })
  })
  test('reject forces proposed from verified', async () => {
    const { on, sync } = await openContract()
    await sync({ status: 'verified', updated_at: FUTURE })
    expect(await on('contract/respond', { action: 'reject' })).toMatchObject({ contractStatus: 'proposed' })
  })
  test('update works in any state, keeps implementations, files old content under the new note', async () => {
    const { on, contract } = await openContract()
    await on('contract/respond', { action: 'agree' })
    await on('implementation/start')
    const update = { content: { a: 2 }, changeNotes: 'why', changeNote: 'ignored' }
    expect(await on('contract/update', update)).toMatchObject({ version: 2, status: 'proposed' })
    expect(await contract()).toMatchObject({
      implementations: [{ status: 'in_progress' }],
      history: [{ version: 1, content: { a: 1 }, change_notes: 'why' }],
    })
  })
  test('a repo that nobody claimed keeps a contract from being implemented', async () => {
    const { on } = await openContract({ isShared: true })
    await on('contract/respond', { action: 'agree' })
    await on('implementation/start')
    expect(await on('implementation/complete', { files: [] })).toEqual({
      status: 'complete',
      contractStatus: 'agreed',
    })
  })
  test('start needs agreed, complete needs a start and files, verify needs implemented', async () => {
    const { on } = await openContract()
    await expect(on('implementation/start')).rejects.toMatchObject(BAD_PARAMS)
    await expect(on('implementation/complete', { files: [] })).rejects.toMatchObject(BAD_PARAMS)
    await expect(on('implementation/complete')).rejects.toMatchObject({ ...SERVER_ERROR, message: 'files' })
    await expect(on('implementation/verify', { result: 'success' })).rejects.toMatchObject(BAD_PARAMS)
  })
  test.each([
    ['success', 'verified', 'verified', 'complete'],
    ['partial', 'partial', 'implemented', 'complete'],
    ['failure', 'failed', 'agreed', 'needs_revision'],
  ])('verify %s answers %s and leaves %s', async (result, status, contractStatus, implementation) => {
    const { on } = await openContract()
    await on('contract/respond', { action: 'agree' })
    await on('implementation/start')
    await on('implementation/complete', { files: ['a.py'] })
    expect(await on('implementation/verify', { result })).toEqual({ status, contractStatus })
    const { implementations } = await on('implementation/getStatus')
    expect(implementations).toMatchObject([{ status: implementation, files: ['a.py'] }])
  })
  test('a non-member may respond but not propose', async () => {
    const { on, syncProject } = await openContract()
    await syncProject({ repos: [], updated_at: FUTURE })
    expect(await on('contract/respond', { action: 'agree' })).toMatchObject({ status: 'agreed' })
    const proposal = { type: 'custom', name: 'D', content: {} }
    await expect(on('contract/propose', proposal)).rejects.toMatchObject(BAD_PARAMS)
  })
})

describe('what it lists', () => {
  test('project/list gives six-key summaries', async () => {
    const { peer, projectId } = await openContract()
    const summary = { projectId, name: 'P', status: 'planning', repoCount: 1, contractCount: 1 }
    const { projects } = await peer.call('cacp/project/list')
    expect(projects).toEqual([{ ...summary, createdAt: expect.stringMatching(NAIVE) }])
  })
  test('contract/list of an unknown project is empty; contract/get hides history', async () => {
    const { on, peer } = await openContract()
    expect(await peer.call('cacp/contract/list', { projectId: 'none' })).toEqual({ contracts: [] })
    expect(await on('contract/get')).not.toHaveProperty('history')
  })
  test('context/list: limit 0 is everything, -1 all but the first, a zoned since fails', async () => {
    const { on } = await openContract()
    for (const question of ['a', 'b', 'c']) await on('context/askQuestion', { question })
    const list = async (limit: number) =>
      (await on('context/list', { contractId: null, limit })).packets.map(
        (p: { content: object }) => p.content,
      )
    const content = (question: string) => ({ question, options: null, urgent: false })
    expect(await list(0)).toHaveLength(3)
    expect(await list(-1)).toEqual([content('b'), content('c')])
    expect(await list(1)).toEqual([content('c')])
    await expect(
      on('context/list', { contractId: null, since: '2020-01-01T00:00:00Z' }),
    ).rejects.toMatchObject(SERVER_ERROR)
  })
  test('threads miss nested replies, and are empty without their root', async () => {
    const { on, packet } = await openContract()
    await packet('reply', FUTURE, 'root')
    expect(await on('context/getThread', { packetId: 'root' })).toEqual({ thread: [] })
    await packet('root', PAST)
    await packet('nested', FUTURE, 'reply')
    const { thread } = await on('context/getThread', { packetId: 'root' })
    expect(thread.map((p: { packet_id: string }) => p.packet_id)).toEqual(['root', 'reply'])
  })
})
