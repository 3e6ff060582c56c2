import { describe, expect, test } from 'vitest'
import type { ResultOf } from '../../../src/methods/table.ts'
import { type CallAs, type Desk, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'

type Listed = ResultOf<'cacp/contract/list'>

const namesOf = ({ contracts }: Listed) => contracts.map(({ name }) => name)

async function proposeAll(call: CallAs, projectId: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const contract = { projectId, type: 'custom' as const, name, content: { name } }
    ids.push((await call('cacp/contract/propose', contract)).contractId)
  }
  return ids
}

/** A feature with these contracts. */
async function openWith(desk: Desk, ...names: string[]) {
  const feature = await openFeature(desk)
  const ids = await proposeAll(feature.backend, feature.projectId, names)
  return { ...feature, ids }
}

describe('the newest first', () => {
  test('a contract that changes moves to the front', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, ids } = await openWith(desk, 'a', 'b', 'c')
    const newest = async () => namesOf(await backend('cacp/contract/list', { projectId, order: 'newest' }))
    expect(await newest()).toEqual(['c', 'b', 'a'])
    await frontend('cacp/contract/respond', { projectId, contractId: ids[0] ?? '', action: 'agree' })
    expect(await newest()).toEqual(['a', 'c', 'b'])
    expect(namesOf(await backend('cacp/contract/list', { projectId }))).toEqual(['a', 'b', 'c'])
  })

  test('pages show nothing twice and go on from their place, also when what was there has moved', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, ids } = await openWith(desk, 'a', 'b', 'c', 'd', 'e')
    const page = (cursor?: string) =>
      backend('cacp/contract/list', { projectId, order: 'newest', limit: 2, cursor })
    const first = await page()
    expect(namesOf(first)).toEqual(['e', 'd'])
    // The last one of the page itself, and one that has not been shown.
    for (const contractId of [ids[3] ?? '', ids[1] ?? ''])
      await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await backend('cacp/contract/withdraw', { projectId, contractId: ids[4] ?? '' })
    const second = await page(first.nextCursor)
    expect(namesOf(second)).toEqual(['c', 'a'])
    expect(second.nextCursor).toBeUndefined()
    expect(namesOf(await page())).toEqual(['b', 'd'])
  })

  test('a cursor that was never given is refused with the way on', async () => {
    await using desk = await openDesk()
    const { projectId, backend, ids } = await openWith(desk, 'a')
    for (const cursor of [ids[0], 'x', '2026-01-01T00:00:00.000000Z~a', 'x~a~b', 'a~b~c~d'])
      await expect(
        backend('cacp/contract/list', { projectId, order: 'newest', cursor }),
      ).rejects.toMatchObject({ kind: 'invalid_params', next: 'Start again without a cursor' })
  })
})

describe('filters', () => {
  test('a text is found anywhere in a name, in capital letters or not', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openWith(desk, 'Get User', 'GET café', 'Put user')
    const found = async (q: string) =>
      namesOf(await backend('cacp/contract/list', { projectId, order: 'newest', q }))
    expect(await found('USER')).toEqual(['Put user', 'Get User'])
    expect(await found('t u')).toEqual(['Put user', 'Get User'])
    expect(await found('cafe\u0301')).toEqual(['GET café'])
    expect(await found('nothing of the kind')).toEqual([])
    expect(namesOf(await backend('cacp/contract/list', { projectId, q: 'get' }))).toEqual([
      'Get User',
      'GET café',
    ])
  })

  test('repos, own contracts and those that are stuck', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    await backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
    const propose = async (name: string, parties: string[]) => {
      const contract = { projectId, type: 'custom' as const, name, content: {}, parties }
      return (await backend('cacp/contract/propose', contract)).contractId
    }
    await propose('with mobile', ['backend-api', 'mobile-app'])
    const agreed = await propose('with frontend', ['backend-api', 'frontend-app'])
    await frontend('cacp/contract/respond', { projectId, contractId: agreed, action: 'agree' })
    desk.clock.advance(3600)
    await propose('with both', ['backend-api', 'mobile-app', 'frontend-app'])
    const listed = async (params: object, call: CallAs = backend) =>
      namesOf(await call('cacp/contract/list', { projectId, order: 'newest', ...params }))
    expect(await listed({ repo: 'mobile-app' })).toEqual(['with both', 'with mobile'])
    expect(await listed({ repo: 'mobile-app', with: 'frontend-app' })).toEqual(['with both'])
    expect(await listed({ mine: true }, frontend)).toEqual(['with both', 'with frontend'])
    expect(await listed({ stuckMinutes: 30 })).toEqual(['with mobile'])
    expect(await listed({ stuckMinutes: 0 })).toEqual(['with both', 'with mobile'])
    await expect(listed({ repo: 'mobil-app' })).rejects.toMatchObject({
      message: expect.stringContaining('repo: '),
      next: expect.stringContaining('Did you mean mobile-app?'),
    })
  })
})

describe('details', () => {
  test('who answered what, whose it is, and how far it has come', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, ids } = await openWith(desk, 'a')
    const [contractId = ''] = ids
    const row = async (call: CallAs = backend) =>
      (await call('cacp/contract/list', { projectId, order: 'newest', details: true })).contracts[0]
    const parties = (answer: string | null) => [
      expect.objectContaining({ repo: 'backend-api', answer: 'proposed' }),
      expect.objectContaining({ repo: 'frontend-app', answer }),
    ]
    expect(await row()).toMatchObject({
      projectId,
      project: 'User Auth Feature',
      mine: true,
      delivery: 'replicated',
      parties: expect.arrayContaining(parties(null)),
    })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'reject', comment: 'no' })
    expect(await row()).toMatchObject({ parties: expect.arrayContaining(parties('reject')) })
    expect(await row(desk.as('aid://example.com/nobody@1.0.0'))).toMatchObject({ mine: false })
    const bare = (await backend('cacp/contract/list', { projectId, order: 'newest' })).contracts[0]
    expect(bare).not.toHaveProperty('parties')
  })

  test('peers and guests of other machines are not told how far it has come', async () => {
    await using desk = await openDesk()
    const { projectId } = await openWith(desk, 'a')
    const caller = { kind: 'open' as const, agentId: FRONTEND, repoName: null, from: 'private' as const }
    const params = { projectId, order: 'newest', details: true }
    const listed = (await desk.send('cacp/contract/list', params, { caller })) as Listed
    expect(listed.contracts[0]).toHaveProperty('parties')
    expect(listed.contracts[0]).not.toHaveProperty('delivery')
  })

  test('counts are of all pages, and of every status that the other filters leave', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, ids } = await openWith(desk, 'a', 'b', 'c', 'other')
    await frontend('cacp/contract/respond', { projectId, contractId: ids[0] ?? '', action: 'agree' })
    await backend('cacp/contract/withdraw', { projectId, contractId: ids[3] ?? '' })
    const counted = async (params: object) =>
      backend('cacp/contract/list', { projectId, details: true, ...params })
    const none = { proposed: 0, negotiating: 0, agreed: 0, implemented: 0, verified: 0 }
    const all = { ...none, proposed: 2, agreed: 1 }
    expect((await counted({})).counts).toEqual(all)
    const page = await counted({ status: 'agreed', limit: 1, order: 'newest' })
    expect([namesOf(page), page.counts]).toEqual([['a'], all])
    expect((await counted({ q: 'OTHER', order: 'newest' })).counts).toEqual(none)
    expect((await counted({ q: 'OTHER', includeWithdrawn: true })).counts).toEqual({ ...none, proposed: 1 })
  })

  test('a conflict is marked and counts as unsettled', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, ids } = await openWith(desk, 'a')
    const [contractId = ''] = ids
    await backend('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await forkContract(desk, { projectId, contractId, repoName: 'frontend-app', content: { v: 3 } })
    const { contracts } = await backend('cacp/contract/list', { projectId, stuckMinutes: 0 })
    expect(contracts).toMatchObject([{ conflictCount: 1 }])
  })
})

describe('all projects', () => {
  test('are listed together, without those that are archived, each row with its project', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openWith(desk, 'first')
    const create = async (name: string) =>
      (await backend('cacp/project/create', { name, objective: '' })).projectId
    const [other, ended] = [await create('Other'), await create('Ended')]
    await proposeAll(backend, ended, ['gone'])
    await proposeAll(backend, other, ['second'])
    await proposeAll(backend, projectId, ['third'])
    await backend('cacp/project/archive', { projectId: ended })
    const listed = await backend('cacp/contract/list', { allProjects: true, order: 'newest', details: true })
    expect(listed.contracts.map(({ name, project }) => [name, project])).toEqual([
      ['third', 'User Auth Feature'],
      ['second', 'Other'],
      ['first', 'User Auth Feature'],
    ])
    expect(listed.counts).toMatchObject({ proposed: 3 })
    const repo = { allProjects: true, order: 'newest' as const, repo: 'frontend-app' }
    expect(namesOf(await backend('cacp/contract/list', repo))).toEqual(['third', 'first'])
  })

  test('a caller sees in them what it may see, and a token its own project', async () => {
    await using desk = await openDesk()
    await openWith(desk, 'open')
    const secret = await desk.call('cacp/project/create', {
      name: 'Secret',
      objective: '',
      visibility: 'members',
    })
    await proposeAll(desk.call, secret.projectId, ['hidden'])
    const listedBy = async (caller: object) =>
      namesOf(
        (await desk.send(
          'cacp/contract/list',
          { allProjects: true, order: 'newest' },
          {
            caller,
          },
        )) as Listed,
      )
    expect(await listedBy({})).toEqual(['hidden', 'open'])
    expect(await listedBy({ kind: 'known', agentId: FRONTEND, repoName: null })).toEqual(['open'])
    expect(await listedBy({ kind: 'peer', agentId: FRONTEND, repoName: null })).toEqual(['open'])
    const now = desk.clock.now()
    const permissions = ['project:read' as const]
    const issued = {
      token_id: 't',
      project_id: secret.projectId,
      subject: 'guest',
      permissions,
      issued_at: now,
    }
    const value = { ...issued, expires_at: now, revoked_at: null }
    await desk.store.commit(() => ({ result: undefined, local: [{ table: 'token', id: 't', value }] }))
    const grant = { projectId: secret.projectId, permissions: new Set(permissions) }
    expect(await listedBy({ kind: 'token', agentId: 'guest', credential: 't', grant })).toEqual(['hidden'])
  })

  test('it goes with the newest first, and with no project', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openWith(desk, 'a')
    await expect(backend('cacp/contract/list', { allProjects: true })).rejects.toThrow(
      'order: must be newest with allProjects',
    )
    await expect(
      backend('cacp/contract/list', { allProjects: true, order: 'newest', projectId }),
    ).rejects.toThrow('projectId: goes with no allProjects')
  })
})
