import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { openThree } from '../../support/daemons/three-repos.ts'
import { type Desk, openDesk } from '../../support/desk/desk.ts'
import { ME, returning, WITH_OWNER, WITHOUT_EMAIL } from '../../support/desk/user-contract.ts'

const EMAIL = 'response.200.body.email'
const ROLE = 'response.200.body.role'

/** A contract that backend and frontend agreed to; mobile reads along. */
async function inForce(desk: Desk, content: JsonObject = ME) {
  const three = await openThree(desk)
  const { projectId, backend, frontend, mobile } = three
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User',
    content,
    parties: ['backend-api', 'frontend-app'],
  })
  const ids = { projectId, contractId }
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  const update = (next: JsonObject) => backend('cacp/contract/update', { ...ids, content: next })
  const review = () => backend('cacp/contract/review', ids)
  return { ...three, ids, update, review, mobile }
}

describe('a repo that says what it expects', () => {
  test('is not hurt by what it tolerates, and nothing is missing any more', async () => {
    await using desk = await openDesk()
    const { ids, frontend, update, review } = await inForce(desk)
    const { review: shown } = await update(WITH_OWNER)
    const next = {
      method: 'cacp/contract/expect',
      params: { ...ids, tolerates: ['new_enum_values'] },
    }
    const missing = `frontend-app has not said whether it tolerates new_enum_values in «${ROLE}»`
    expect(shown).toMatchObject({
      verdict: 'unknown',
      missing: [missing],
      repos: [{ repo: 'frontend-app', verdict: 'unknown', missing, next }],
    })
    expect(
      await desk.send(next.method, next.params, { caller: { agentId: 'aid://example.com/frontend@1.0.0' } }),
    ).toMatchObject({
      repo: 'frontend-app',
      side: 'both',
      uses: null,
      tolerates: ['new_enum_values'],
      review: { verdict: 'compatible' },
    })
    expect(await review()).toMatchObject({
      verdict: 'compatible',
      rollout: 'any',
      changes: [{ verdict: 'compatible' }],
      repos: [{ repo: 'frontend-app', verdict: 'compatible', because: [] }],
    })
    expect(await frontend('cacp/contract/get', ids)).toMatchObject({ review: { verdict: 'compatible' } })
  })

  test('is not hurt by what it does not use, and told where it uses what is gone', async () => {
    await using desk = await openDesk()
    const { ids, frontend, update, review } = await inForce(desk)
    await update(WITHOUT_EMAIL)
    expect(await review()).toMatchObject({ verdict: 'breaking', changes: [{ breaks: ['frontend-app'] }] })
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.id'] })
    const unhurt = await review()
    expect(unhurt).toMatchObject({ verdict: 'compatible', changes: [{ at: EMAIL, verdict: 'compatible' }] })
    expect(unhurt.changes[0]).not.toHaveProperty('breaks')
    await frontend('cacp/contract/expect', { ...ids, sites: { [EMAIL]: 'src/api/user.ts:41' } })
    expect(await review()).toMatchObject({
      verdict: 'breaking',
      repos: [{ repo: 'frontend-app', verdict: 'breaking', site: 'src/api/user.ts:41' }],
    })
  })

  test('keeps what it does not say anew, and says the same twice without effect', async () => {
    await using desk = await openDesk()
    const { ids, frontend } = await inForce(desk)
    const first = await frontend('cacp/contract/expect', {
      ...ids,
      side: 'consumer',
      uses: [EMAIL],
      sites: { [EMAIL]: 'a.ts:1' },
    })
    expect(first).toMatchObject({ side: 'consumer', uses: [EMAIL], tolerates: [] })
    const then = await frontend('cacp/contract/expect', { ...ids, tolerates: ['null'] })
    expect(then).toMatchObject({ side: 'consumer', uses: [EMAIL], sites: { [EMAIL]: 'a.ts:1' } })
    const before = [...desk.store.statements()].length
    expect(await frontend('cacp/contract/expect', { ...ids, tolerates: ['null'] })).toEqual(then)
    expect(await frontend('cacp/contract/expect', { ...ids, uses: [EMAIL] })).toEqual(then)
    expect([...desk.store.statements()].length).toBe(before)
    expect(await frontend('cacp/contract/expect', { ...ids, uses: [ROLE], side: null })).toMatchObject({
      side: 'both',
      uses: [ROLE],
      sites: {},
    })
    expect(await frontend('cacp/contract/expect', { ...ids, uses: null })).toMatchObject({ uses: null })
  })

  test('need be no party, and is judged with them', async () => {
    await using desk = await openDesk()
    const { ids, mobile, update } = await inForce(desk)
    await mobile('cacp/contract/expect', { ...ids, uses: [EMAIL] })
    const { review } = await update(WITHOUT_EMAIL)
    expect(review?.changes).toMatchObject([{ breaks: ['frontend-app', 'mobile-app'] }])
  })

  test('as the provider is not judged', async () => {
    await using desk = await openDesk()
    const { ids, frontend, update } = await inForce(desk)
    await frontend('cacp/contract/expect', { ...ids, side: 'provider' })
    expect((await update(WITHOUT_EMAIL)).review).toMatchObject({ verdict: 'breaking', repos: [] })
  })

  test.each(['response.role', 'role'])(
    'that calls a place as content does, %s, is told its name',
    async (use) => {
      await using desk = await openDesk()
      const { ids, frontend } = await inForce(desk)
      await expect(frontend('cacp/contract/expect', { ...ids, uses: [use] })).rejects.toMatchObject({
        next: expect.stringMatching(
          /^Did you mean response\.200\.body\.role\? Near it there are response\.200\.body\.role, /,
        ),
      })
    },
  )

  test('that mistypes an operation is told those that there are', async () => {
    await using desk = await openDesk()
    const { ids, frontend, backend } = await inForce(desk)
    const get = { get: { responses: { 200: { description: 'fine' } } } }
    const content = { openapi: '3.1.0', paths: { '/users/{id}': get, '/orders': get } }
    const { projectId } = ids
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'api_endpoint',
      name: 'Shop',
      content,
    })
    const wrong = frontend('cacp/contract/expect', { projectId, contractId, uses: ['GET /user/{id}'] })
    await expect(wrong).rejects.toMatchObject({
      next: 'Did you mean GET /users/{id}? Near it there are GET /users/{id}, GET /orders',
    })
  })

  test('that names a place which is not there is refused with those near it', async () => {
    await using desk = await openDesk()
    const { ids, frontend } = await inForce(desk)
    const wrong = frontend('cacp/contract/expect', { ...ids, uses: [ROLE, 'response.200.body.emial'] })
    await expect(wrong).rejects.toMatchObject({
      kind: 'not_found',
      message: 'uses.1: contract Get User has no place response.200.body.emial',
      next: `Did you mean ${EMAIL}? Near it there are response.200.body.id, ${EMAIL}, ${ROLE}`,
      data: { field: 'uses.1', places: ['response.200.body.id', EMAIL, ROLE] },
    })
    const site = frontend('cacp/contract/expect', { ...ids, sites: { nowhere: 'a.ts:1' } })
    await expect(site).rejects.toMatchObject({ kind: 'not_found', data: { field: 'sites' } })
  })

  test('may name what only the newest version has, and what only the one in force has', async () => {
    await using desk = await openDesk()
    const { ids, frontend, update } = await inForce(desk)
    await update(returning({ id: 'uuid', avatar: 'url' }))
    const uses = [EMAIL, 'response.200.body.avatar']
    expect(await frontend('cacp/contract/expect', { ...ids, uses })).toMatchObject({ uses })
  })

  test('cannot name places in what is not understood', async () => {
    await using desk = await openDesk()
    const { ids, frontend } = await inForce(desk, { text: 'call us' })
    await expect(frontend('cacp/contract/expect', { ...ids, uses: ['text'] })).rejects.toMatchObject({
      kind: 'conflict',
      next: 'Leave uses and sites out: a repo that names no place counts as using all of it',
    })
    expect(await frontend('cacp/contract/expect', { ...ids, side: 'consumer' })).toMatchObject({ uses: null })
  })

  test('has to say something', async () => {
    await using desk = await openDesk()
    const { ids, frontend } = await inForce(desk)
    await expect(frontend('cacp/contract/expect', ids)).rejects.toMatchObject({
      kind: 'invalid_params',
      data: { field: 'uses' },
    })
  })
})

describe('each repo is compared', () => {
  test('with the newest version that it implemented, else with the one in force', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, update, review } = await inForce(desk)
    const implement = async () => {
      await frontend('cacp/implementation/start', { ...ids, plan: '' })
      await frontend('cacp/implementation/complete', { ...ids, files: [] })
    }
    await implement()
    await update(WITHOUT_EMAIL)
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    await update({ ...WITHOUT_EMAIL, errors: {} })
    expect(await review()).toMatchObject({
      against: { version: 2 },
      verdict: 'breaking',
      changes: [{ at: EMAIL, against: { version: 1 }, breaks: ['frontend-app'] }, { verdict: 'compatible' }],
      repos: [{ repo: 'frontend-app', against: { version: 1 }, verdict: 'breaking' }],
    })
    expect(await backend('cacp/contract/review', { ...ids, from: 2 })).toMatchObject({
      verdict: 'compatible',
    })
    await implement()
    expect(await review()).toMatchObject({
      verdict: 'compatible',
      repos: [{ repo: 'frontend-app', against: { version: 2 } }],
    })
  })
})

describe('what nobody uses', () => {
  test('is listed as soon as a consumer says what it uses, with who is silent', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, mobile } = await inForce(desk)
    const unused = () => backend('cacp/contract/unused', ids)
    expect(await unused()).toEqual({
      contractId: ids.contractId,
      version: 1,
      unused: [],
      heard: [],
      silent: ['frontend-app'],
    })
    await frontend('cacp/contract/expect', { ...ids, uses: ['response.200.body.id'] })
    expect(await unused()).toMatchObject({
      unused: [EMAIL, ROLE, 'response.401.body.message'],
      heard: ['frontend-app'],
      silent: [],
    })
    await mobile('cacp/contract/expect', { ...ids, uses: [ROLE, 'response.401'] })
    expect(await unused()).toMatchObject({ unused: [EMAIL], heard: ['frontend-app', 'mobile-app'] })
    await mobile('cacp/contract/expect', { ...ids, uses: null })
    expect(await unused()).toMatchObject({ heard: ['frontend-app'], silent: ['mobile-app'] })
  })
})
