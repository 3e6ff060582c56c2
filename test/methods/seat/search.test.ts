import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Author } from '../../domain/statements/author.ts'
import { type CallAs, type Desk, OUTSIDER, openDesk, openFeature } from '../../support/desk/desk.ts'
import { hear } from '../../support/desk/inbox-scenes.ts'

let desk: Desk
let backend: CallAs
let frontend: CallAs
let projectId: string
let secretId: string
let contractId: string
let packetId: string

beforeAll(async () => {
  desk = await openDesk()
  ;({ projectId, backend, frontend } = await openFeature(desk))
  ;({ contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { path: '/users/profile', response: { paymentIntent: 'string' } },
  }))
  ;({ packetId } = await frontend('cacp/context/askQuestion', {
    projectId,
    question: 'Does the profile carry the roles of the token?',
  }))
  await frontend('cacp/contract/respond', {
    projectId,
    contractId,
    action: 'request_change',
    comment: 'We also need the avatar',
    suggestedChange: { response: { avatarUrl: 'string' } },
  })
  ;({ projectId: secretId } = await backend('cacp/project/create', {
    name: 'Secret',
    objective: 'the zeppelin',
    visibility: 'members',
  }))
  await backend('cacp/contract/propose', {
    projectId: secretId,
    type: 'custom',
    name: 'Zeppelin profile',
    content: { gas: 'helium' },
  })
})
afterAll(() => desk[Symbol.asyncDispose]())

const kindsOf = ({ hits }: { hits: readonly { kind: string; name: string }[] }) =>
  hits.map(({ kind, name }) => `${kind} ${name}`)

describe('search finds', () => {
  test('a contract by its name, in spite of a typing error, with where to read on', async () => {
    const { hits, total } = await backend('cacp/search', { query: 'user profle', project: projectId })
    expect(hits[0]).toEqual({
      kind: 'contract',
      projectId,
      projectName: 'User Auth Feature',
      id: contractId,
      name: 'Get User Profile',
      snippet: 'path /users/profile response paymentIntent string',
      score: expect.any(Number),
      at: expect.stringMatching(/^2026-11-16T09:00:00\.\d+Z$/),
    })
    expect(total).toBe(hits.length)
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
  })

  test('a question by its words, without those that every question has', async () => {
    const answer = await backend('cacp/search', { query: 'what are the roles of it?' })
    expect(answer.hits).toMatchObject([{ kind: 'context', id: packetId, name: 'question' }])
  })

  test('a response by its comment or its suggestion, and names the contract', async () => {
    for (const query of ['avatar', 'avatarUrl']) {
      const { hits } = await backend('cacp/search', { query })
      expect(hits).toMatchObject([{ kind: 'response', name: 'Get User Profile', contractId, projectId }])
      expect(hits[0]?.snippet).toContain('avatar')
    }
  })

  test('parts of names in code, and the beginnings of words', async () => {
    expect(kindsOf(await backend('cacp/search', { query: 'intent' }))).toEqual(['contract Get User Profile'])
    expect(kindsOf(await backend('cacp/search', { query: 'paym' }))).toEqual(['contract Get User Profile'])
  })

  test('what was written a moment ago', async () => {
    await frontend('cacp/context/share', { projectId, type: 'test_case', content: { freshly: 'squeezed' } })
    expect(kindsOf(await backend('cacp/search', { query: 'squeezed' }))).toEqual(['context test_case'])
  })

  test('nothing of what was taken back', async () => {
    const content = { password: 'hunter2000' }
    const { packetId } = await backend('cacp/context/share', { projectId, type: 'env_config', content })
    expect((await backend('cacp/search', { query: 'hunter2000' })).total).toBe(1)
    await backend('cacp/context/redact', { projectId, packetId })
    expect(await backend('cacp/search', { query: 'hunter2000' })).toEqual({ hits: [], total: 0 })
  })
})

describe('search is kept', () => {
  test.each(['contract', 'context', 'response'] as const)('to the kind %s', async (kind) => {
    const { hits } = await backend('cacp/search', { query: 'profile token avatar', kind })
    expect(new Set(hits.map((hit) => hit.kind))).toEqual(new Set([kind]))
  })

  test('to a project', async () => {
    expect(kindsOf(await backend('cacp/search', { query: 'profile', project: secretId }))).toEqual([
      'contract Zeppelin profile',
    ])
  })

  test('to the limit, and counts what is beyond it', async () => {
    const { hits, total } = await backend('cacp/search', { query: 'profile', limit: 1 })
    expect(hits).toHaveLength(1)
    expect(total).toBe(3)
  })

  test('to what the caller may see', async () => {
    const outside = { caller: { kind: 'peer', agentId: OUTSIDER, repoName: 'elsewhere' } } as const
    expect(await desk.send('cacp/search', { query: 'zeppelin helium' }, outside)).toEqual({
      hits: [],
      total: 0,
    })
    expect(await desk.send('cacp/search', { query: 'profile' }, outside)).toMatchObject({ total: 2 })
    await expect(
      desk.send('cacp/search', { query: 'zeppelin', project: secretId }, outside),
    ).rejects.toMatchObject({ kind: 'not_found', next: 'List the projects with cacp/project/list' })
    const member = new Author('member')
    await hear(desk, member.claim(secretId, 'frontend-app', desk.clock.now()))
    await desk.call('cacp/repo/settle', { projectId: secretId, repoName: 'frontend-app', holder: 'member' })
    const pinned = { key: member.key, invitedTo: [] }
    const inside = {
      caller: { kind: 'peer', agentId: 'member', repoName: 'frontend-app', pinned },
    } as const
    expect(await desk.send('cacp/search', { query: 'zeppelin' }, inside)).toMatchObject({ total: 1 })
  })
})

describe('search says what is wrong with', () => {
  test.each([
    { params: {}, message: /query required/ },
    { params: { query: '' }, message: /^(?:Invalid params: )?query: / },
    {
      params: { query: '?! …' },
      message: /^(?:Invalid params: )?query: must have a word to look for, such as "login token"$/,
    },
    { params: { query: 'x'.repeat(1001) }, message: /^(?:Invalid params: )?query: / },
    {
      params: { query: 'x', kind: 'repo' },
      message: /^(?:Invalid params: )?kind: .*contract.*context.*response/,
    },
    { params: { query: 'x', limit: 101 }, message: /^(?:Invalid params: )?limit: / },
    { params: { query: 'x', limit: 0 }, message: /^(?:Invalid params: )?limit: / },
    { params: { query: 'x', project: '' }, message: /^(?:Invalid params: )?project: / },
  ])('$params', async ({ params, message }) => {
    await expect(desk.send('cacp/search', params)).rejects.toMatchObject({
      kind: 'invalid_params',
      message: expect.stringMatching(message),
    })
  })

  test('but takes a query of small words, or of very many', async () => {
    await expect(backend('cacp/search', { query: 'the of' })).resolves.toMatchObject({
      total: expect.any(Number),
    })
    const query = Array.from({ length: 200 }, (_, index) => `w${index}`).join(' ')
    await expect(backend('cacp/search', { query: `${query}` })).resolves.toEqual({ hits: [], total: 0 })
  })
})
