import { describe, expect, test } from 'vitest'
import type { ResultOf } from '../../src/methods/table.ts'
import { type Desk, type Feature, FRONTEND, OUTSIDER, openDesk, openFeature } from '../support/desk.ts'

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
  const first = await backend('cacp/contract/get', { projectId, contractId, includeHistory: true })
  await backend('cacp/contract/update', { projectId, contractId, content: { side: 'backend' } })
  await desk.send('cacp/contract/sync', { projectId, contract: updatedByFrontend(first, desk.clock.now()) })
  return { ...feature, contractId }
}

function updatedByFrontend(first: ResultOf<'cacp/contract/get'>, at: string): object {
  const { version, content, proposed_by, head } = first
  return {
    ...first,
    version: 2,
    content: { side: 'frontend' },
    proposed_by: 'repo-frontend',
    history: [{ version, content, proposed_by, ...head }],
    head: { timestamp: at, parent: head.revision, base_status: 'proposed', base_at: at },
    updated_at: at,
  }
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

describe('a repo claimed twice', () => {
  test('goes to the earlier claim, and the other agent is told whose it is since when', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { repos, created_at } = await backend('cacp/project/get', { projectId })
    const repo = repos.find((one) => one.name === 'frontend-app')
    const claim = { agent_id: OUTSIDER, released_at: null, agent_endpoint: null, endpoint_at: created_at }
    const sync = (claimed_at: string) =>
      desk.send('cacp/repo/sync', { projectId, repo: { ...repo, claims: [{ ...claim, claimed_at }] } })
    const ask = () => frontend('cacp/context/askQuestion', { projectId, question: 'still mine?' })

    await sync('1970-01-01T00:00:00Z')
    await ask()
    await sync(created_at)
    await expect(ask()).rejects.toMatchObject({
      kind: 'not_member',
      message: `${FRONTEND} does not hold repo frontend-app of project ${projectId}: ${OUTSIDER} has held it since ${created_at}, which is earlier`,
      data: { repoName: 'frontend-app', heldBy: OUTSIDER, since: created_at },
    })
    const shown = (await backend('cacp/project/get', { projectId })).repos.find(
      (one) => one.name === repo?.name,
    )
    expect(shown?.agent_id).toBe(OUTSIDER)
    expect(shown?.claims.map((one) => one.agent_id)).toEqual([OUTSIDER, OUTSIDER, FRONTEND])

    const theirs = { kind: 'peer' as const, agentId: OUTSIDER, repoName: 'frontend-app' }
    await desk.send('cacp/repo/release', { projectId }, { caller: theirs })
    await expect(ask()).resolves.toMatchObject({ status: 'shared' })
  })
})
