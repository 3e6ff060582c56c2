import { describe, expect, test } from 'vitest'
import { repoIdOf } from '../../../src/domain/statements/shared-fields.ts'
import { openStore } from '../../../src/io/store/open-store.ts'
import { Author } from '../../domain/statements/author.ts'
import { BACKEND, type CallAs, FRONTEND, OUTSIDER, openDesk } from '../../support/desk/desk.ts'
import {
  hear,
  kindsIn,
  namingBackend,
  openScene,
  outvoted,
  proposed,
  rivalling,
  type Scene,
} from '../../support/desk/inbox-scenes.ts'

const idsIn = async (call: CallAs, params: object = {}): Promise<string[]> =>
  (await call('cacp/inbox/list', params)).items.map(({ id }) => id)

describe('the inbox', () => {
  test('is the same however often it is read, oldest first, and counts also what is beyond the limit', async () => {
    await using scene = await openScene()
    const names = [await proposed(scene), await proposed(scene), await proposed(scene)]
    const expected = names.map(({ projectId, contractId }) => `answer_contract:${projectId}:${contractId}`)
    for (let reads = 0; reads < 2; reads++) expect(await idsIn(scene.frontend)).toEqual(expected)
    const first = await scene.frontend('cacp/inbox/list', { limit: 2 })
    expect(first).toMatchObject({ count: 3, waitingFor: [] })
    expect(first.items.map(({ id }) => id)).toEqual(expected.slice(0, 2))
    expect(await scene.frontend('cacp/inbox/list', { limit: 0 })).toMatchObject({ count: 3, items: [] })
  })

  test('says whom one waits for, and since when', async () => {
    await using scene = await openScene()
    const { projectId, contractId } = await proposed(scene)
    const { items, waitingFor } = await scene.backend('cacp/inbox/list', {})
    expect(items).toEqual([])
    expect(waitingFor).toEqual([
      {
        projectId,
        about: { kind: 'contract', id: contractId, name: 'Get User Profile', version: 1 },
        repos: ['frontend-app'],
        for: 'answer it',
        since: expect.stringMatching(/^2026-11-16T09:00:00/),
      },
    ])
  })

  test('has a cursor from which the feed goes on', async () => {
    await using scene = await openScene()
    await proposed(scene)
    const { cursor } = await scene.backend('cacp/inbox/list', {})
    const { contractId } = await proposed(scene)
    const { events } = await scene.backend('cacp/feed/read', { since: cursor })
    expect(events.map(({ id }) => id)).toEqual([contractId])
  })

  test('is that of the agent who asks: each agent of a daemon has its own, and one without a repo none', async () => {
    await using scene = await openScene()
    await proposed(scene)
    expect(await kindsIn(scene.frontend)).toEqual(['answer_contract'])
    expect(await kindsIn(scene.backend)).toEqual([])
    expect(await scene.desk.as(OUTSIDER)('cacp/inbox/list', {})).toMatchObject({
      items: [],
      waitingFor: [],
      count: 0,
    })
  })

  test('follows a repo to the agent that holds it', async () => {
    await using scene = await openScene()
    const { projectId } = await proposed(scene)
    await scene.frontend('cacp/repo/release', { projectId, repoName: 'frontend-app' })
    expect(await kindsIn(scene.frontend)).toEqual([])
    const outsider = scene.desk.as(OUTSIDER)
    await outsider('cacp/project/join', { projectId, repoName: 'frontend-app' })
    expect(await kindsIn(outsider)).toEqual(['answer_contract'])
  })

  test('shows open questions also to a repo that came later', async () => {
    await using scene = await openScene()
    const { projectId, backend } = scene
    await backend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
    await backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
    const mobile = scene.desk.as(OUTSIDER)
    await mobile('cacp/project/join', { projectId, repoName: 'mobile-app' })
    expect(await kindsIn(mobile)).toEqual(['answer_question'])
  })

  test('has nothing of archived projects, until they are brought back', async () => {
    await using scene = await openScene()
    const { projectId } = await proposed(scene)
    await scene.backend('cacp/project/archive', { projectId })
    expect(await scene.frontend('cacp/inbox/list', {})).toMatchObject({ items: [], count: 0 })
    expect(await scene.frontend('cacp/inbox/list', { projectId })).toMatchObject({ items: [], count: 0 })
    await scene.backend('cacp/project/archive', { projectId, archived: false })
    expect(await kindsIn(scene.frontend)).toEqual(['answer_contract'])
  })

  test('can be that of one project', async () => {
    await using scene = await openScene()
    const { projectId } = await proposed(scene)
    const other = await scene.backend('cacp/project/create', { name: 'Other', objective: '' })
    expect(await idsIn(scene.frontend, { projectId })).toHaveLength(1)
    expect(await idsIn(scene.frontend, { projectId: other.projectId })).toEqual([])
    expect(await idsIn(scene.backend, { projectId })).toEqual([])
  })

  test('shows a peer nothing of a project that it may not see', async () => {
    await using scene = await openScene()
    const { desk, backend } = scene
    const { projectId } = await backend('cacp/project/create', {
      name: 'Secret Plan',
      objective: '',
      visibility: 'members',
      repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
    })
    const member = new Author(OUTSIDER)
    await hear(desk, member.claim(projectId, 'frontend-app', desk.clock.now()))
    const { contractId } = await proposed({ ...scene, projectId })
    /** As that agent, with the key of its daemon or another one. */
    const callerWith = ({ key }: Author) => {
      const pinned = { key, invitedTo: [] }
      return { caller: { kind: 'peer', agentId: OUTSIDER, repoName: 'frontend-app', pinned } } as const
    }
    const read = (author: Author, params: object = {}) =>
      desk.send('cacp/inbox/list', params, callerWith(author))
    const stranger = new Author('stranger')
    expect(await read(member)).toMatchObject({ count: 1, items: [{ projectName: 'Secret Plan' }] })
    expect(await read(stranger)).toMatchObject({ count: 0, items: [] })
    await expect(read(stranger, { projectId })).rejects.toMatchObject({ kind: 'not_found' })
    const itemId = `answer_contract:${projectId}:${contractId}`
    await expect(desk.send('cacp/inbox/ack', { itemId }, callerWith(stranger))).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test.each([
    { method: 'cacp/inbox/list', params: { limit: -1 }, field: 'limit' },
    { method: 'cacp/inbox/list', params: { limit: 201 }, field: 'limit' },
    { method: 'cacp/inbox/list', params: { includeAcked: 'yes' }, field: 'includeAcked' },
    { method: 'cacp/inbox/list', params: { projectId: '' }, field: 'projectId' },
    { method: 'cacp/inbox/ack', params: {}, field: 'itemId' },
    { method: 'cacp/inbox/ack', params: { itemId: 'x'.repeat(301) }, field: 'itemId' },
  ])('refuses $params of $method by name', async ({ method, params, field }) => {
    await using desk = await openDesk()
    await expect(desk.send(method, params)).rejects.toMatchObject({ kind: 'invalid_params', data: { field } })
  })

  test('begins with joining, where a project names the repo and nobody holds it', async () => {
    await using scene = await openScene()
    const { backend, frontend } = scene
    const { projectId } = await namingBackend(scene)
    await proposed({ ...scene, projectId, backend: frontend })
    const { items, count } = await backend('cacp/inbox/list', { projectId })
    expect(items.map(({ kind, about }) => [kind, about])).toEqual([
      ['join_project', { kind: 'project', id: projectId, name: 'User Auth Feature' }],
    ])
    expect(count).toBe(1)
    expect(await kindsIn(frontend)).toEqual([])

    await backend('cacp/inbox/ack', { itemId: items[0]?.id ?? '' })
    expect(await kindsIn(backend)).toEqual([])

    await backend('cacp/project/join', { projectId })
    expect(await kindsIn(backend)).toEqual(['answer_contract'])
  })

  test('asks nobody back into a project that it has left', async () => {
    await using scene = await openScene()
    const { backend } = scene
    const { projectId } = await namingBackend(scene)
    expect(await kindsIn(backend)).toEqual(['join_project'])
    await backend('cacp/project/join', { projectId })
    await backend('cacp/repo/release', { projectId, repoName: 'backend-api' })
    expect(await kindsIn(backend)).toEqual([])
  })

  test('says to whoever claimed a repo too late who holds it and since when, also where it only reads', async () => {
    await using scene = await openScene()
    const { desk, backend, frontend } = scene
    const { projectId, since } = await outvoted(scene)
    const itemId = `claim_lost:${projectId}:${projectId}`
    const repo = desk.store.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, 'backend-api'))
    const claim = repo?.claims.find(({ agent_id }) => agent_id === FRONTEND)
    const { items, count } = await frontend('cacp/inbox/list', { projectId })
    expect(items).toMatchObject([
      {
        id: itemId,
        from: { repo: 'backend-api', agentId: OUTSIDER },
        why: `«backend-api» is held by «${OUTSIDER}» since ${since}, which counts before this agent’s claim: give that up, join as another repo, or, if it is this agent’s, ask «${OUTSIDER}», who founded the project, to call cacp/repo/settle (\`cacpd repo settle\`) with holder ${claim?.claim_id}`,
        next: { method: 'cacp/repo/release', params: { projectId, repoName: 'backend-api' } },
      },
    ])
    expect(count).toBe(1)
    const operator = { kind: 'operator', agentId: FRONTEND } as const
    expect(await desk.send('cacp/inbox/list', { projectId }, { caller: operator })).toMatchObject({
      count: 1,
    })

    await frontend('cacp/inbox/ack', { itemId })
    expect(await idsIn(frontend, { projectId })).toEqual([])
    await frontend('cacp/inbox/ack', { itemId, undo: true })
    expect(await idsIn(frontend, { projectId })).toEqual([itemId])
    expect(await kindsIn(backend)).not.toContain('claim_lost')
  })

  test('is about a lost claim no more when another repo was joined, or the holder gave it back', async () => {
    await using scene = await openScene()
    const { desk, frontend } = scene
    const [one, other] = [await outvoted(scene), await outvoted(scene)]
    expect(await kindsIn(frontend)).toEqual(['claim_lost', 'claim_lost'])

    await hear(desk, new Author(OUTSIDER).nameRepo(one.founding, 'frontend-app', desk.clock.now()))
    await frontend('cacp/project/join', { projectId: one.projectId, repoName: 'frontend-app' })
    expect(await kindsIn(frontend)).toEqual(['claim_lost'])

    await other.giveBack()
    expect(await kindsIn(frontend)).toEqual([])
    await expect(
      frontend('cacp/context/askQuestion', { projectId: other.projectId, question: 'mine now?' }),
    ).resolves.toMatchObject({ status: 'shared' })
  })

  test('asks the founder to settle who holds a repo that two claim and nobody has confirmed', async () => {
    await using scene = await openScene()
    const { desk, backend } = scene
    const { projectId } = await rivalling(scene)
    const repo = desk.store.view.projects.get(projectId)?.repos.get(repoIdOf(projectId, 'frontend-app'))
    const claims = repo?.claims ?? []
    const { items } = await backend('cacp/inbox/list', { projectId })
    expect(items).toMatchObject([
      {
        kind: 'settle_claims',
        from: { repo: 'frontend-app', agentId: OUTSIDER },
        why: `«frontend-app» is claimed by «${FRONTEND}» since ${claims[0]?.claimed_at}, who holds it so far, and by «${OUTSIDER}» since ${claims[1]?.claimed_at}, each by its own word; the founder of the project has confirmed nobody yet: settle who holds it, by the agent ID of one of them, or null for nobody`,
        next: {
          method: 'cacp/repo/settle',
          params: { projectId, repoName: 'frontend-app', holder: null },
          fill: ['holder'],
        },
      },
    ])
    const kindsOf = async (agentId: string) =>
      (await desk.as(agentId)('cacp/inbox/list', { projectId })).items.map(({ kind }) => kind)
    expect([await kindsOf(FRONTEND), await kindsOf(OUTSIDER)]).toEqual([['settle_claims'], ['claim_lost']])
    await backend('cacp/repo/settle', { projectId, repoName: 'frontend-app', holder: OUTSIDER })
    expect(await kindsOf(FRONTEND)).toEqual(['claim_lost'])
    expect(await kindsOf(OUTSIDER)).toEqual([])
    expect(await kindsIn(backend)).toEqual([])
  })

  test('tells an agent that its repo is held by another daemon under its own name', async () => {
    await using scene = await openScene()
    const { desk, backend } = scene
    const founder = new Author(OUTSIDER)
    const founding = founder.found(desk.clock.now(), { name: 'User Auth Feature' })
    const { project_id: projectId } = founding
    await hear(desk, founding, founder.nameRepo(founding, 'backend-api', desk.clock.now()))
    const earlier = new Author(BACKEND).claim(projectId, 'backend-api', desk.clock.now())
    await backend('cacp/project/join', { projectId })
    await hear(desk, earlier)
    const { items } = await backend('cacp/inbox/list', { projectId })
    expect(items.map(({ kind }) => kind).sort()).toEqual(['claim_lost', 'settle_claims'])
    const claim = desk.store.view.projects.get(projectId)?.repos.get(earlier.about)?.claims.at(-1)
    const { body } = founder.settle(founding, desk.clock.now(), { repo: earlier.about })
    const settled = { ...body, holder: claim?.claim_id ?? null }
    const at = desk.clock.now()
    await hear(desk, founder.under(founding, { kind: 'settlement', about: earlier.about, at, body: settled }))
    expect(await idsIn(backend, { projectId })).toEqual([])
  })

  test('knows no project that is not there', async () => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/inbox/list', { projectId: 'nope' })).rejects.toMatchObject({
      kind: 'not_found',
      next: expect.stringContaining('cacp/project/list'),
    })
  })
})

describe('an item that was acknowledged', () => {
  const hidden = async (scene: Scene): Promise<string> => {
    const [itemId = ''] = await idsIn(scene.frontend)
    expect(await scene.frontend('cacp/inbox/ack', { itemId })).toMatchObject({ itemId, status: 'hidden' })
    return itemId
  }

  test('is hidden until it changes, and meanwhile shown on demand', async () => {
    await using scene = await openScene()
    const named = await proposed(scene)
    const itemId = await hidden(scene)
    expect(await scene.frontend('cacp/inbox/list', {})).toMatchObject({ items: [], count: 0 })
    expect(await scene.frontend('cacp/inbox/list', { includeAcked: true })).toMatchObject({
      items: [{ id: itemId, acked: true }],
      count: 1,
    })
    await scene.backend('cacp/contract/update', { ...named, content: { path: '/other' } })
    expect(await scene.frontend('cacp/inbox/list', {})).toMatchObject({ items: [{ id: itemId }], count: 1 })
  })

  test('is hidden from that agent alone, and comes back with undo', async () => {
    await using scene = await openScene()
    const { projectId } = scene
    await scene.backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
    const mobile = scene.desk.as(OUTSIDER)
    await mobile('cacp/project/join', { projectId, repoName: 'mobile-app' })
    await scene.backend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
    const itemId = await hidden(scene)
    expect(await idsIn(mobile)).toEqual([itemId])
    const shown = await scene.frontend('cacp/inbox/ack', { itemId, undo: true })
    expect(shown.status).toBe('shown')
    expect(await idsIn(scene.frontend)).toEqual([itemId])
  })

  test('stays hidden after a restart', async () => {
    await using scene = await openScene()
    await proposed(scene)
    const id = await hidden(scene)
    await scene.desk.store[Symbol.asyncDispose]()
    const { store } = await openStore({ directory: '/desk', disk: scene.desk.disk, clock: scene.desk.clock })
    expect(store.view.acks.get(FRONTEND)).toMatchObject({ agent_id: FRONTEND, items: [{ id }] })
    await store[Symbol.asyncDispose]()
  })

  test('is forgotten when it is gone', async () => {
    await using scene = await openScene()
    const named = await proposed(scene)
    await hidden(scene)
    await scene.frontend('cacp/contract/respond', { ...named, action: 'agree' })
    await hidden(scene)
    expect(scene.desk.store.view.acks.get(FRONTEND)?.items.map(({ id }) => id)).toEqual([
      `start_implementation:${named.projectId}:${named.contractId}`,
    ])
  })

  test.each(['nonsense', 'answer_contract', 'answer_contract:a:b', 'verify_contract:PROJECT:CONTRACT'])(
    'must be one of one’s own: %s',
    async (form) => {
      await using scene = await openScene()
      const { projectId, contractId } = await proposed(scene)
      const itemId = form.replace('PROJECT', projectId).replace('CONTRACT', contractId)
      await expect(scene.frontend('cacp/inbox/ack', { itemId })).rejects.toMatchObject({
        kind: 'not_found',
        next: expect.stringContaining('cacp/inbox/list'),
      })
      const others = { itemId: `answer_contract:${projectId}:${contractId}` }
      await expect(scene.backend('cacp/inbox/ack', others)).rejects.toMatchObject({ kind: 'not_found' })
    },
  )
})
