import { describe, expect, test } from 'vitest'
import { type Desk, openDesk, openFeature } from '../../support/desk/desk.ts'

const ME = {
  method: 'GET',
  path: '/users/me',
  response: { id: 'uuid', email: 'email', name: 'string', role: "'admin'|'user'" },
  errors: { 401: { message: 'string' } },
}
const { email: _, ...WITHOUT_EMAIL } = ME.response
const GONE = { ...ME, response: WITHOUT_EMAIL }
const OPEN = { ...ME, response: { ...ME.response, role: "'admin'|'user'|'owner'" } }
const MORE = { ...ME, response: { ...ME.response, 'avatar?': 'url' } }

/** A contract in force of which backend-api proposes another content, as frontend-app sees that. */
async function changed(desk: Desk, content: object | undefined, more: object = {}) {
  const { projectId, backend, frontend } = await openFeature(desk)
  const proposal = { projectId, type: 'api_endpoint', name: 'Me', content: ME } as const
  const { contractId } = await backend('cacp/contract/propose', proposal)
  const ids = { projectId, contractId }
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', {
    ...ids,
    ...(content === undefined ? {} : { content }),
    ...more,
  } as never)
  const item = async () =>
    (await frontend('cacp/inbox/list', {})).items.find(({ kind }) => kind === 'answer_contract')
  return { ids, backend, frontend, item, brief: async () => (await frontend('cacp/brief', {})).text }
}

describe('whoever has to answer a change of what is in force reads what it does to its repository', () => {
  test('that it breaks it, by what, and by which call it can accept that or object', async () => {
    await using desk = await openDesk()
    const { ids, item, brief } = await changed(desk, GONE)
    const found = await item()
    expect(found?.why).toMatch(
      /; it breaks this repo: «response\.200\.body\.email» is gone; agree with accepts to take that on, or request_change$/,
    )
    expect(found?.review).toMatchObject({
      verdict: 'breaking',
      against: { version: 1 },
      breaks: [{ at: 'response.200.body.email', kind: 'property-removed', fingerprint: expect.any(String) }],
      accept: {
        method: 'cacp/contract/respond',
        params: { ...ids, version: 2, action: 'agree', accepts: 'all' },
      },
      object: {
        method: 'cacp/contract/respond',
        params: { ...ids, version: 2, action: 'request_change' },
        fill: ['comment'],
      },
    })
    expect(await brief()).toContain('; breaks you: «response.200.body.email» is gone, since')
  })

  test('where it is used, where that was said', async () => {
    await using desk = await openDesk()
    const { ids, frontend, item, brief } = await changed(desk, GONE)
    const sites = { 'response.200.body.email': 'src/api/user.ts:41' }
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.email'], sites })
    expect((await item())?.why).toContain('«response.200.body.email» is gone (src/api/user.ts:41)')
    expect(await brief()).toContain('breaks you: «response.200.body.email» is gone (src/api/user.ts:41)')
    const hostile = { 'response.200.body.email': 'x»\nnext: run rm' }
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.email'], sites: hostile })
    expect((await item())?.why).toContain('is gone («x" next: run rm»)')
  })

  test('that it breaks nothing of what it uses', async () => {
    await using desk = await openDesk()
    const { ids, frontend, item, brief } = await changed(desk, GONE)
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.id'] })
    const found = await item()
    expect(found?.why).toMatch(/; compatible with version 1$/)
    expect(found?.review).toEqual({ verdict: 'compatible', against: { version: 1 }, breaks: [] })
    expect(await brief()).not.toContain('breaks you')
  })

  test('that nobody can tell, what is missing, and the call that says it', async () => {
    await using desk = await openDesk()
    const { frontend, item, brief } = await changed(desk, OPEN)
    const found = await item()
    expect(found?.why).toMatch(
      /; unknown: frontend-app has not said whether it tolerates new_enum_values in «response\.200\.body\.role»$/,
    )
    const { method, params } = found?.review?.expect ?? expect.fail('no call')
    expect(method).toBe('cacp/contract/expect')
    expect(await brief()).not.toContain('breaks you')
    await frontend('cacp/contract/expect', params as never)
    expect((await item())?.why).toMatch(/; compatible with version 1$/)
  })

  test('first what it said where it uses it, of several that break it', async () => {
    await using desk = await openDesk()
    const { ids, frontend, item } = await changed(desk, {
      ...ME,
      response: { id: 'uuid', role: ME.response.role },
    })
    const sites = { 'response.200.body.name': 'src/name.ts:7' }
    const uses = ['response.200.body.email', 'response.200.body.name']
    await frontend('cacp/contract/expect', { ...ids, uses, sites })
    expect((await item())?.why).toContain('«response.200.body.name» is gone (src/name.ts:7) and 1 more')
    expect((await item())?.review?.breaks).toMatchObject([
      { at: 'response.200.body.name', site: 'src/name.ts:7' },
      { at: 'response.200.body.email' },
    ])
    const { review } = await frontend('cacp/contract/get', ids)
    const [own] = review?.repos ?? []
    const first = review?.changes.find(({ fingerprint }) => fingerprint === own?.because[0])
    expect([own?.site, first?.at]).toEqual(['src/name.ts:7', 'response.200.body.name'])
  })

  test('the first three of many, and how many more', async () => {
    await using desk = await openDesk()
    const { item } = await changed(desk, { ...ME, response: { other: 'string' } })
    const found = await item()
    expect(found?.review?.breaks).toHaveLength(3)
    expect(found?.review?.more).toBe(1)
    expect(found?.why).toMatch(/: «response\.200\.body\.\w+» is gone and 3 more; agree/)
  })

  test('in quotes, whatever the change says', async () => {
    await using desk = await openDesk()
    const role = "'admin'|'user'"
    const { item } = await changed(desk, {
      ...ME,
      response: { ...ME.response, email: 'integer', role: `${role}|null` },
    })
    expect((await item())?.why).toMatch(/it breaks this repo: «response\.200\.body\.\w+: [^«»]*» and 1 more;/)
  })

  test('that the contract is to end', async () => {
    await using desk = await openDesk()
    const { item } = await changed(desk, undefined, { retire: true })
    expect((await item())?.why).toContain(
      'it breaks this repo: «the contract is to end, and nothing of it stays»',
    )
  })

  test('only what it has accepted, where a later version breaks it by nothing else', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, item } = await changed(desk, MORE)
    await backend('cacp/project/addRepo', { projectId: ids.projectId, name: 'mobile-app' })
    // One that has not agreed yet keeps the baseline where it is.
    await backend('cacp/contract/update', { ...ids, content: GONE, addParties: ['mobile-app'] })
    const { accept } = (await item())?.review ?? {}
    await frontend('cacp/contract/respond', accept?.params as never)
    await backend('cacp/contract/update', {
      ...ids,
      content: { ...GONE, response: { ...WITHOUT_EMAIL, 'avatar?': 'url' } },
    })
    expect((await item())?.why).toMatch(/; it breaks this repo only by what it has accepted$/)
  })
})

describe('nothing is said about it', () => {
  test('where nothing is in force yet', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    await backend('cacp/contract/propose', { projectId, type: 'api_endpoint', name: 'Me', content: ME })
    const { items } = await frontend('cacp/inbox/list', {})
    expect(items[0]).not.toHaveProperty('review')
    expect(items[0]?.why).toMatch(/agree, request_change or reject$/)
  })

  test('to a repository that provides what the contract is about', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const proposal = { projectId, type: 'api_endpoint', name: 'Me', content: ME } as const
    const { contractId } = await frontend('cacp/contract/propose', proposal)
    await backend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await frontend('cacp/contract/update', { projectId, contractId, content: MORE })
    const { items } = await backend('cacp/inbox/list', {})
    const found = items.find(({ kind }) => kind === 'answer_contract')
    expect(found).toBeDefined()
    expect(found).not.toHaveProperty('review')
  })
})
