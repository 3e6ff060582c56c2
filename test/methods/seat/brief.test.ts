import { describe, expect, test } from 'vitest'
import { FRONTEND, OUTSIDER, openDesk, openFeature } from '../../support/desk/desk.ts'

const PROFILE = { type: 'api_endpoint', name: 'Get User Profile', content: { path: '/me' } } as const

/** Two repos, and a contract that the backend proposed. */
async function openStory() {
  const desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROFILE })
  return {
    desk,
    projectId,
    contractId,
    backend,
    frontend,
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  }
}

const titles = (text: string) => text.split('\n').filter((line, index) => index > 0 && !line.startsWith('- '))

describe('a brief without since', () => {
  test('is empty where there is no project, with a cursor to go on from', async () => {
    await using desk = await openDesk()
    expect(await desk.call('cacp/brief', {})).toEqual({
      text: '',
      cursor: expect.stringMatching(/\.0$/),
      truncated: false,
    })
  })

  test('tells what the project is about where nothing is owed', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const { text, truncated } = await backend('cacp/brief', { projectId })
    expect(text.split('\n').slice(1)).toEqual([
      'Projects (1):',
      `- project «User Auth Feature», objective «Implement OAuth 2.0 login across frontend and backend»; repos «backend-api» (own), «frontend-app» (own) (project ${projectId})`,
    ])
    expect(truncated).toBe(false)
    await backend('cacp/project/addRepo', { projectId, name: 'mobile-app', role: 'mobile' })
    expect((await backend('cacp/brief', {})).text).toContain('«mobile-app» (not joined) (project')
  })

  test('begins with the project, what is in force and what was decided, before what is owed', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/context/recordDecision', {
      projectId,
      decision: 'Auth',
      chosen: 'JWT',
      rationale: '',
    })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await backend('cacp/contract/update', { projectId, contractId, content: { path: '/v2' } })
    await backend('cacp/contract/propose', { projectId, ...PROFILE, name: 'Log Out' })
    const { text } = await frontend('cacp/brief', {})
    expect(titles(text)).toEqual([
      'Projects (1):',
      'In force (1):',
      'Decisions (1):',
      'You block others (2):',
    ])
    expect(text).toContain(
      `- contract «Get User Profile» version 1, agreed, between «backend-api», «frontend-app»; version 2 is proposed (contract ${contractId}, project ${projectId})`,
    )
  })

  test('tells of the current project first', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', { name: 'First', objective: '' })
    await desk.call('cacp/project/create', { name: 'Second', objective: '' })
    const names = async () =>
      (await desk.call('cacp/brief', {})).text
        .split('\n')
        .flatMap((line) => /^- project «(.*?)»/.exec(line)?.[1] ?? [])
    expect(await names()).toEqual(['Second', 'First'])
    await desk.call('cacp/project/use', { projectId })
    expect(await names()).toEqual(['First', 'Second'])
  })

  test('tells nothing of a contract that is in force no more', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await backend('cacp/contract/update', { projectId, contractId, retire: true })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    expect(titles((await backend('cacp/brief', {})).text)).toEqual(['Projects (1):'])
  })

  test('has room for what is owed, however much is in force', async () => {
    await using story = await openStory()
    const { projectId, backend, frontend } = story
    for (let n = 0; n < 30; n++) {
      const { contractId } = await backend('cacp/contract/propose', {
        projectId,
        ...PROFILE,
        name: `Call ${n}`,
      })
      await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    }
    const { text, truncated } = await frontend('cacp/brief', { budget: 400 })
    expect(text.length).toBeLessThanOrEqual(1600)
    expect(text).toContain('contract «Get User Profile» version 1 awaits your answer')
    expect(text).toMatch(/In force.*30/)
    expect(truncated).toBe(true)
  })

  test('tells each side how it stands and what was decided', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/context/recordDecision', {
      projectId,
      decision: 'Auth',
      chosen: 'JWT',
      rationale: '',
    })
    const { text } = await frontend('cacp/brief', {})
    expect(titles(text)).toEqual(['Projects (1):', 'Decisions (1):', 'You block others (1):'])
    expect(text).toContain('- «frontend-app» (own) recorded «Auth — JWT»')
    expect(text).toContain(
      `contract «Get User Profile» version 1 awaits your answer; proposed by «backend-api» (own), since 2026-11-16 09:00Z (cacp/contract/respond; contract ${contractId}, project ${projectId})`,
    )
    expect(titles((await backend('cacp/brief', {})).text)).toEqual([
      'Projects (1):',
      'Decisions (1):',
      'Others block you (1):',
    ])
  })

  test('tells of the last decisions of its projects, newest first, but of none that was taken back', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const decide = (decision: string, where = projectId) =>
      backend('cacp/context/recordDecision', { projectId: where, decision, chosen: 'c', rationale: '' })
    for (let n = 1; n <= 30; n++) await decide(`decision ${n}`)
    const { packetId } = await decide('a mistake')
    await backend('cacp/context/redact', { projectId, packetId })
    for (let n = 0; n < 50; n++)
      await backend('cacp/context/share', { projectId, type: 'test_case', content: { n } })
    const other = await backend('cacp/project/create', { name: 'Other', objective: '' })
    await decide('of another project', other.projectId)
    const { text } = await backend('cacp/brief', { budget: 20_000 })
    const told = text.split('\n').flatMap((line) => /recorded «(.*?) — c»/.exec(line)?.[1] ?? [])
    expect(told).toEqual([
      'of another project',
      ...Array.from({ length: 19 }, (_, n) => `decision ${30 - n}`),
    ])
    const { text: only } = await backend('cacp/brief', { projectId, budget: 20_000 })
    expect(only).not.toContain('of another project')
  })

  test('is the same, byte for byte, until something changes', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    const first = await backend('cacp/brief', {})
    expect(await backend('cacp/brief', {})).toEqual(first)
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    expect((await backend('cacp/brief', {})).text).not.toBe(first.text)
  })
})

describe('a brief since a cursor', () => {
  test('tells what others changed after it, and what still blocks', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/context/recordDecision', {
      projectId,
      decision: 'Auth',
      chosen: 'JWT',
      rationale: '',
    })
    const { cursor: since } = await backend('cacp/brief', {})
    await frontend('cacp/contract/respond', {
      projectId,
      contractId,
      action: 'request_change',
      comment: 'under /api please',
    })
    await frontend('cacp/context/recordDecision', {
      projectId,
      decision: 'Errors',
      chosen: 'RFC 9457',
      rationale: '',
    })
    await frontend('cacp/context/askQuestion', { projectId, question: 'Which roles?' })
    const { text, cursor, truncated } = await backend('cacp/brief', { since })
    expect(titles(text)).toEqual([
      'You block others (1):',
      'Contracts changed (1):',
      'Open questions (1):',
      'New decisions (1):',
    ])
    expect(text).toContain(
      'proposed→negotiating: changes requested by «frontend-app» (own) «under /api please»',
    )
    expect(text).toContain('«frontend-app» (own) asked «Which roles?»')
    expect(text).toContain('«Errors — RFC 9457»')
    expect(text).not.toContain('JWT')
    expect(truncated).toBe(false)
    expect(titles((await backend('cacp/brief', { since: cursor })).text)).toEqual([
      'You block others (1):',
      'Open questions (1):',
    ])
    expect((await backend('cacp/brief', { since })).text).toBe(text)
  })

  test('tells the fields of a new version, and nothing of what the repo did itself', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'request_change' })
    const { cursor: since } = await frontend('cacp/brief', {})
    await backend('cacp/contract/update', {
      projectId,
      contractId,
      content: { path: '/api/me', errors: { 401: 'no' } },
      changeNote: 'moved',
    })
    await backend('cacp/context/recordDecision', { projectId, decision: 'a', chosen: 'b', rationale: 'c' })
    expect((await frontend('cacp/brief', { since })).text).toContain(
      'version 1→2, negotiating→proposed: changed by «backend-api» (own) «moved»; fields «+errors ~path»',
    )
    const { text } = await backend('cacp/brief', { since })
    expect(titles(text)).toEqual(['Others block you (1):'])
  })

  test('of another store or ahead of this one is told as such, with a fresh one', async () => {
    await using story = await openStory()
    const { backend, desk } = story
    const { cursor } = await backend('cacp/brief', {})
    const ahead = cursor.replace(/\d+$/, '999999')
    for (const since of ['another-store.1', ahead])
      await expect(backend('cacp/brief', { since })).rejects.toMatchObject({
        kind: 'stale_cursor',
        data: { cursor },
      })
    await expect(desk.send('cacp/brief', { since: 'yesterday' })).rejects.toMatchObject({
      kind: 'invalid_params',
      next: expect.stringContaining(cursor),
    })
  })

  test('looks only so far back, and says so', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    const { cursor: since } = await backend('cacp/brief', {})
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    for (let n = 0; n < 2000; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          frontend('cacp/context/share', { projectId, type: 'test_case', content: { n: n + index } }),
        ),
      )
    const { text, truncated } = await backend('cacp/brief', { since })
    expect(titles(text)).toEqual([
      'You block others (1):',
      'Contracts changed: perhaps some, see cacp/feed/read',
      'Messages: perhaps some, see cacp/context/list',
      'New decisions: perhaps some, see cacp/context/list',
    ])
    expect(truncated).toBe(true)
  })
})

describe('a brief is', () => {
  test('only of the projects in which the caller holds a repo, or of the one it asks for', async () => {
    await using story = await openStory()
    const { projectId, contractId, desk, frontend } = story
    const outside = { caller: { kind: 'peer', agentId: OUTSIDER, repoName: 'elsewhere' } } as const
    const { cursor: since } = (await desk.send('cacp/brief', {}, outside)) as { cursor: string }
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    expect(await desk.send('cacp/brief', { since }, outside)).toMatchObject({ text: '' })
    const asked = (await desk.send('cacp/brief', { since, projectId }, outside)) as { text: string }
    expect(titles(asked.text)).toEqual(['Contracts changed (1):'])
  })

  test('never of a project that is kept from the caller', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'Secret',
      objective: '',
      visibility: 'members',
    })
    await desk.call('cacp/contract/propose', { projectId, ...PROFILE })
    const since = (await desk.call('cacp/brief', {})).cursor.replace(/\d+$/, '0')
    const outside = { caller: { kind: 'peer', agentId: OUTSIDER, repoName: 'elsewhere' } } as const
    expect(await desk.send('cacp/brief', { since }, outside)).toMatchObject({ text: '' })
    await expect(desk.send('cacp/brief', { since, projectId }, outside)).rejects.toMatchObject({
      kind: 'not_found',
    })
  })

  test('without what was hidden or archived', async () => {
    await using story = await openStory()
    const { projectId, contractId, backend, frontend } = story
    await frontend('cacp/inbox/ack', { itemId: `answer_contract:${projectId}:${contractId}` })
    expect(titles((await frontend('cacp/brief', {})).text)).toEqual(['Projects (1):'])
    await backend('cacp/project/archive', { projectId, archived: true })
    const since = (await backend('cacp/brief', {})).cursor.replace(/\d+$/, '0')
    expect((await backend('cacp/brief', { since })).text).toBe('')
    expect((await backend('cacp/brief', {})).text).toBe('')
  })

  test.each([
    { params: { budget: 99 }, message: /budget/ },
    { params: { budget: 20_001 }, message: /budget/ },
    { params: { budget: 'much' }, message: /budget/ },
    { params: { since: 'x'.repeat(121) }, message: /since/ },
    { params: { projectId: '' }, message: /projectId/ },
  ])('refused with $params, and shown how to do better', async ({ params, message }) => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/brief', params, { caller: { agentId: FRONTEND } })).rejects.toMatchObject({
      kind: 'invalid_params',
      message: expect.stringMatching(message),
      next: expect.stringContaining('{"since": "'),
    })
  })
})
