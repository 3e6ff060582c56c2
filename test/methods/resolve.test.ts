import { describe, expect, test } from 'vitest'
import { type Desk, type Feature, OUTSIDER, openDesk, openFeature } from '../support/desk/desk.ts'
import { forkContract } from '../support/desk/forked-contract.ts'

interface Disputed extends Feature {
  contractId: string
}

/** Both repos updated version 1 before they heard of each other; the frontend's update is the newer one. */
async function openDispute(desk: Desk): Promise<Disputed> {
  const feature = await openFeature(desk)
  const { projectId, backend } = feature
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'Me',
    content: { side: 'none' },
  })
  await backend('cacp/contract/update', { projectId, contractId, content: { side: 'backend' } })
  await forkContract(desk, { projectId, contractId, repoName: 'frontend-app', content: { side: 'frontend' } })
  return { ...feature, contractId }
}

describe('a conflict', () => {
  test('is seen until somebody settles it', async () => {
    await using desk = await openDesk()
    const { projectId, contractId, backend, frontend } = await openDispute(desk)
    const ids = { projectId, contractId }
    expect(await backend('cacp/contract/get', ids)).toMatchObject({
      version: 2,
      content: { side: 'frontend' },
      conflicts: [{ version: 2, content: { side: 'backend' } }],
    })
    const listed = async () => (await backend('cacp/contract/list', { projectId })).contracts
    expect(await listed()).toMatchObject([{ contractId, conflictCount: 1 }])
    expect(await frontend('cacp/contract/resolve', { ...ids, keep: 'loser', changeNote: 'theirs' })).toEqual({
      contractId,
      version: 3,
      status: 'proposed',
      resolved: 1,
    })
    const settled = await backend('cacp/contract/get', { ...ids, includeHistory: true })
    expect(settled).toMatchObject({
      content: { side: 'backend' },
      conflicts: [],
      head: { change_notes: 'theirs' },
    })
    expect(await listed()).toMatchObject([{ contractId, conflictCount: 0 }])
    expect(settled.history?.map((one) => one.content)).toEqual([
      { side: 'none' },
      { side: 'backend' },
      { side: 'frontend' },
    ])
    await expect(backend('cacp/contract/resolve', { ...ids, keep: 'winner' })).rejects.toMatchObject({
      kind: 'conflict',
      message: `Contract ${contractId} has no open conflict to settle`,
    })
  })

  test('can end in new content, and a repeat with the same key settles it once', async () => {
    await using desk = await openDesk()
    const { projectId, contractId, backend } = await openDispute(desk)
    const params = { projectId, contractId, keep: 'content', content: { side: 'both' } }
    const options = { idempotencyKey: 'k' }
    const first = await desk.send('cacp/contract/resolve', params, options)
    expect(await desk.send('cacp/contract/resolve', params, options)).toEqual(first)
    expect(await backend('cacp/contract/get', { projectId, contractId })).toMatchObject({
      version: 3,
      content: { side: 'both' },
      conflicts: [],
    })
  })

  test.each([
    [{ keep: 'content' }, 'content'],
    [{ keep: 'winner', content: {} }, 'content'],
    [{ keep: 'winner', revision: 'a'.repeat(64) }, 'revision'],
    [{ keep: 'loser', revision: 'a'.repeat(64) }, 'revision'],
    [{ keep: 'both' }, 'keep'],
    [{}, 'keep'],
  ])('%o is refused and names %s', async (choice, field) => {
    await using desk = await openDesk()
    const { projectId, contractId, backend } = await openDispute(desk)
    await expect(
      desk.send('cacp/contract/resolve', { projectId, contractId, ...choice }),
    ).rejects.toMatchObject({ kind: 'invalid_params', data: { field } })
    expect((await backend('cacp/contract/get', { projectId, contractId })).conflicts).toHaveLength(1)
  })

  test('is settled by members of an open project only, and at the version they read', async () => {
    await using desk = await openDesk()
    const { projectId, contractId, backend } = await openDispute(desk)
    const params = { projectId, contractId, keep: 'winner' as const }
    await expect(desk.as(OUTSIDER)('cacp/contract/resolve', params)).rejects.toMatchObject({
      kind: 'not_member',
    })
    await expect(backend('cacp/contract/resolve', { ...params, version: 1 })).rejects.toThrow(
      /is at version 2/,
    )
    await backend('cacp/project/archive', { projectId })
    await expect(backend('cacp/contract/resolve', params)).rejects.toMatchObject({ kind: 'conflict' })
  })
})
