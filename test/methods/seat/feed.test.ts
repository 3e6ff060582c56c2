import { describe, expect, test } from 'vitest'
import { speakIn } from '../../../src/domain/speaking/speaking.ts'
import { sighting } from '../../../src/domain/statements/sighting.ts'
import { type Desk, openDesk, openFeature } from '../../support/desk/desk.ts'

type Page = Awaited<ReturnType<typeof read>>
const read = (desk: Desk, params: object = {}) => desk.call('cacp/feed/read', params)
const named = ({ events }: Page) => events.map(({ kind, id }) => `${kind} ${id}`)

const propose = (desk: Desk, projectId: string, name: string) =>
  desk.call('cacp/contract/propose', { projectId, type: 'custom', name, content: { name } })

describe('reading the feed', () => {
  test('from the start gives every entity once, as it is now, the oldest change first', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const first = await propose(desk, projectId, 'first')
    const second = await propose(desk, projectId, 'second')
    await frontend('cacp/contract/respond', { projectId, contractId: first.contractId, action: 'agree' })

    const page = await read(desk)
    expect(page.more).toBe(false)
    expect(page.events.map(({ kind }) => kind)).toEqual(['project', 'repo', 'repo', 'contract', 'contract'])
    expect(page.events.slice(-2)).toMatchObject([
      { id: second.contractId, projectId, value: { name: 'second', status: 'proposed' } },
      { id: first.contractId, projectId, value: { name: 'first', status: 'agreed' } },
    ])
    const {
      delivery: _,
      contractId: _same,
      ...contract
    } = await desk.call('cacp/contract/get', {
      projectId,
      contractId: first.contractId,
      includeHistory: true,
    })
    expect(page.events.at(-1)?.value).toEqual(contract)
    expect(page.events.at(-1)?.at).toBe(page.events.at(-1)?.value['updated_at'])
    expect(page.cursor).toBe(page.events.at(-1)?.cursor)
  })

  test('goes on from a cursor: what changed since, and nothing that did not', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const { cursor } = await read(desk)
    expect(await read(desk, { since: cursor })).toEqual({ events: [], cursor, more: false })
    const { contractId } = await propose(desk, projectId, 'new')
    const next = await read(desk, { since: cursor })
    expect(named(next)).toEqual([`contract ${contractId}`])
    expect(named(await read(desk, { since: next.cursor }))).toEqual([])
    // The same cursor still means the same place.
    expect(await read(desk, { since: cursor })).toEqual(next)
  })

  test('page by page comes to the same as at once, from every event on', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    for (let count = 0; count < 5; count++) await propose(desk, projectId, `c${count}`)
    const whole = await read(desk)
    const pages: Page[] = []
    for (let since: string | undefined; ; ) {
      const page = await read(desk, { since, limit: 3 })
      pages.push(page)
      since = page.cursor
      if (!page.more) break
    }
    expect(pages.map(({ events }) => events.length)).toEqual([3, 3, 2])
    expect(pages.flatMap(named)).toEqual(named(whole))
    for (const [index, { cursor }] of whole.events.entries())
      expect(named(await read(desk, { since: cursor }))).toEqual(named(whole).slice(index + 1))
  })

  test('an entity that changes between two pages comes once more, at its new state', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const { contractId } = await propose(desk, projectId, 'moving')
    await propose(desk, projectId, 'still')
    const before = await read(desk, { limit: 4 })
    expect(before.events.at(-1)).toMatchObject({ id: contractId, value: { status: 'proposed' } })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const after = await read(desk, { since: before.cursor })
    expect(after.events.map(({ value }) => [value['name'], value['status']])).toEqual([
      ['still', 'proposed'],
      ['moving', 'agreed'],
    ])
  })

  test('can be kept to a project and to kinds, and its cursor still goes past all the rest', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const other = await openFeature(desk)
    await propose(desk, projectId, 'here')
    await propose(desk, other.projectId, 'there')
    const all = await read(desk)
    const here = await read(desk, { projectId, kinds: ['contract', 'project'] })
    expect(here.events.map(({ projectId: of, kind }) => [of, kind])).toEqual([
      [projectId, 'project'],
      [projectId, 'contract'],
    ])
    expect(here).toMatchObject({ cursor: all.cursor, more: false })
  })

  test('says where who speaks for whom has changed, and what is not there any more', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const { contractId } = await propose(desk, projectId, 'first')
    const { repoId } = await backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
    const { cursor } = await read(desk)
    await backend('cacp/project/removeRepo', { projectId, repoName: 'mobile-app' })
    await backend('cacp/contract/update', { projectId, contractId, content: { name: 'other' } })
    const { events } = await read(desk, { since: cursor })
    expect(events).toMatchObject([
      { kind: 'repo', id: repoId, wide: true, value: { id: repoId, gone: true } },
      { kind: 'contract', id: contractId, value: { version: 2 } },
    ])
    expect(events[1]).not.toHaveProperty('wide')
  })

  test('tells who was shown something only to those who ask for it', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const { contractId } = await propose(desk, projectId, 'first')
    const { cursor } = await read(desk)
    await desk.store.commit((view) => {
      const found = view.projects.get(projectId) ?? expect.fail('no project')
      const [, frontend] = [...found.repos.oldestFirst()]
      const by = frontend?.holder?.speaks_by ?? expect.fail('nobody holds it')
      const { updated_at: of, parts } = found.contracts.get(contractId) ?? expect.fail('no contract')
      const env = { now: desk.clock.now(), newNonce: desk.clock.newNonce }
      const seen = speakIn(found, by, env)(sighting, { about: contractId, body: { of, parts } })
      return { result: undefined, says: [seen] }
    })
    expect((await read(desk, { since: cursor })).events).toEqual([])
    const { events } = await read(desk, { since: cursor, kinds: ['receipt'] })
    expect(events).toMatchObject([
      { kind: 'receipt', id: contractId, value: { id: contractId, seen: [{ parts: 1 }] } },
    ])
  })

  test('cuts a page at a megabyte, and goes on after it', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    const { cursor } = await read(desk)
    for (let count = 0; count < 6; count++)
      await desk.call('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: `large ${count}`,
        content: { text: 'x'.repeat(250_000) },
      })
    const first = await read(desk, { since: cursor })
    expect(first.more).toBe(true)
    expect(first.events).toHaveLength(4)
    const rest = await read(desk, { since: first.cursor })
    expect(rest).toMatchObject({ more: false })
    expect(rest.events).toHaveLength(2)
  })
})

describe('who reads the feed', () => {
  test('sees only projects that it may see, each change by itself', async () => {
    await using desk = await openDesk()
    const { projectId: shown } = await openFeature(desk)
    const { projectId: hidden } = await desk.call('cacp/project/create', {
      name: 'Secret',
      objective: '',
      visibility: 'members',
    })
    const peer = { kind: 'peer' as const, agentId: 'aid://example.com/other@1.0.0', repoName: 'other' }
    const seen = (await desk.send('cacp/feed/read', {}, { caller: peer })) as Page
    expect(new Set(seen.events.map(({ projectId }) => projectId))).toEqual(new Set([shown]))
    expect(seen.cursor).toBe((await read(desk)).cursor)
    await expect(desk.send('cacp/feed/read', { projectId: hidden }, { caller: peer })).rejects.toMatchObject({
      kind: 'not_found',
      message: `No project ${hidden} here`,
    })
  })
})

describe('what makes no sense is refused with an example of what does', () => {
  const EXAMPLE = /For example \{"since": ".+", "limit": 100, "kinds": \["contract", "packet"\]\}/
  test.each([
    [{ since: 42 }, 'Invalid params: since: must be text'],
    [{ limit: 0 }, 'Invalid params: limit: must be at least 1'],
    [{ limit: 501 }, 'Invalid params: limit: must be at most 500'],
    [{ limit: 'all' }, 'Invalid params: limit: must be a number'],
    [{ kinds: [] }, 'Invalid params: kinds: must have at least 1 item'],
    [{ kinds: ['agent'] }, /kinds\.0: must be one of project, repo, contract, packet, receipt/],
    [{ kinds: 'contract' }, 'Invalid params: kinds: must be a list'],
    [{ projectId: '' }, /projectId: must not be empty/],
    [['since'], /must be an object of named values/],
  ])('%j', async (params, message) => {
    await using desk = await openDesk()
    await expect(desk.send('cacp/feed/read', params)).rejects.toMatchObject({
      kind: 'invalid_params',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      next: expect.stringMatching(EXAMPLE),
    })
  })

  test('a cursor of a store that was wiped is told as such, with a fresh one that works', async () => {
    const cursor = '01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.3'
    await using desk = await openDesk()
    await openFeature(desk)
    const fault = await desk.send('cacp/feed/read', { since: cursor }).catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind: 'stale_cursor', message: expect.stringContaining('another store') })
    const { data } = fault as { data: { cursor: string } }
    expect(await read(desk, { since: data.cursor })).toMatchObject({ events: [], cursor: data.cursor })
  })

  test('one that is no cursor, too', async () => {
    await using desk = await openDesk()
    const { cursor } = await read(desk)
    await expect(desk.send('cacp/feed/read', { since: 'yesterday' })).rejects.toMatchObject({
      kind: 'invalid_params',
      next: expect.stringContaining(cursor),
    })
  })
})

describe('reading the feed backwards', () => {
  test('gives the last change first, page by page to the very beginning', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const { contractId } = await propose(desk, projectId, 'c0')
    for (let count = 1; count < 5; count++) await propose(desk, projectId, `c${count}`)
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const forwards = named(await read(desk))
    const back = (params: object = {}) => read(desk, { order: 'newest', ...params })
    const whole = await back()
    expect([named(whole), whole.more]).toEqual([forwards.toReversed(), false])
    const pages: Page[] = []
    for (let before: string | undefined; pages.at(-1)?.more !== false; before = pages.at(-1)?.cursor)
      pages.push(await back({ limit: 3, before }))
    expect(pages.flatMap(named)).toEqual(named(whole))
    expect(pages.map(({ events }) => events.length)).toEqual([3, 3, 2])
    const [, second] = whole.events
    expect(named(await back({ before: second?.cursor }))).toEqual(named(whole).slice(2))
    // Before the very first change there is nothing.
    expect(await back({ before: pages.at(-1)?.cursor })).toMatchObject({ events: [], more: false })
  })

  test('does not show again what changes meanwhile: that is at the front then', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const { contractId } = await propose(desk, projectId, 'old')
    await propose(desk, projectId, 'new')
    const page = await read(desk, { order: 'newest', limit: 1, kinds: ['contract'] })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const next = await read(desk, { order: 'newest', kinds: ['contract'], before: page.cursor })
    expect(named(next)).toEqual([])
    expect(named(await read(desk, { order: 'newest', kinds: ['contract'], limit: 1 }))).toEqual([
      `contract ${contractId}`,
    ])
  })

  test('each order has its own cursor', async () => {
    await using desk = await openDesk()
    const { cursor } = await read(desk)
    await expect(read(desk, { order: 'newest', since: cursor })).rejects.toThrow(
      'since: goes with order oldest',
    )
    await expect(read(desk, { before: cursor })).rejects.toThrow('before: goes with order newest')
    await expect(read(desk, { order: 'newest', before: 'x' })).rejects.toThrow('before: is no cursor')
  })
})
