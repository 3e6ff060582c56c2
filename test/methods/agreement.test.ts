import { describe, expect, test } from 'vitest'
import type { Peer } from '../../src/domain/model.ts'
import { duties, openThree, PROPOSAL, propose } from '../support/daemons/three-repos.ts'
import { type CallAs, FRONTEND, openDesk } from '../support/desk/desk.ts'

/** What parties agree on, take back and find fault with, through the methods and as everybody then sees it. */

describe('the parties of a contract for which none are named', () => {
  test.each([
    ['the others have not joined yet', [], ['backend-api', 'frontend-app', 'mobile-app']],
    ['some have', ['frontend-app'], ['backend-api', 'frontend-app']],
    ['all have', ['frontend-app', 'mobile-app'], ['backend-api', 'frontend-app', 'mobile-app']],
  ])('where %s', async (_when, joined, expected) => {
    await using desk = await openDesk()
    const { projectId, backend } = await openThree(desk, joined)
    const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROPOSAL })
    const { parties } = await backend('cacp/contract/get', { projectId, contractId })
    const { repos } = await backend('cacp/project/get', { projectId })
    expect(repos.filter(({ repo_id }) => parties.includes(repo_id)).map(({ name }) => name)).toEqual(expected)
  })
})

describe('among three', () => {
  test('each is asked until it has answered, and nobody is overruled', async () => {
    await using desk = await openDesk()
    const { ids, get, namesOf, backend, frontend, mobile } = await propose(desk)
    expect(await duties(frontend)).toEqual(['answer_contract'])
    expect(await duties(mobile)).toEqual(['answer_contract'])
    expect(await frontend('cacp/contract/respond', { ...ids, action: 'agree' })).toMatchObject({
      status: 'agreed',
      contractStatus: 'proposed',
      unanswered: ['mobile-app'],
    })
    expect([await duties(frontend), await duties(mobile), await duties(backend)]).toEqual([
      [],
      ['answer_contract'],
      [],
    ])
    await mobile('cacp/contract/respond', { ...ids, action: 'request_change' })
    const contract = await get()
    expect(contract).toMatchObject({ status: 'negotiating', inForce: null })
    expect(await namesOf(contract.objections)).toEqual(['mobile-app'])
    expect([await duties(backend), await duties(mobile)]).toEqual([['revise_contract'], ['answer_contract']])
    await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
    expect(await get()).toMatchObject({ status: 'agreed', inForce: { version: 1, status: 'agreed' } })
  })

  test('one who has not answered is asked also while somebody else objects', async () => {
    await using desk = await openDesk()
    const { ids, backend, frontend, mobile } = await propose(desk)
    await frontend('cacp/contract/respond', { ...ids, action: 'reject' })
    expect([await duties(backend), await duties(mobile), await duties(frontend)]).toEqual([
      ['revise_contract'],
      ['answer_contract'],
      ['answer_contract'],
    ])
  })

  test('whoever is left out of a change still has to agree to it', async () => {
    await using desk = await openDesk()
    const { ids, get, namesOf, backend, frontend, mobile } = await propose(desk)
    for (const call of [frontend, mobile]) await call('cacp/contract/respond', { ...ids, action: 'agree' })
    await backend('cacp/contract/update', {
      ...ids,
      content: { v: 2 },
      parties: ['backend-api', 'frontend-app'],
    })
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    const waiting = await get()
    expect(await namesOf(waiting.unanswered)).toEqual(['mobile-app'])
    expect(waiting.inForce).toMatchObject({ version: 1 })
    await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
    expect((await get()).inForce).toMatchObject({ version: 2 })
  })
})

describe('an agree', () => {
  test('said again is a success that changes nothing, and with other words is kept', async () => {
    await using desk = await openDesk()
    const { ids, get, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
    const agree = (comment?: string) =>
      frontend('cacp/contract/respond', { ...ids, action: 'agree', ...(comment && { comment }) })
    const first = await agree('fine')
    expect([await agree('fine'), await agree()]).toEqual([first, first])
    expect((await get()).responses).toHaveLength(1)
    await agree('and documented')
    expect((await get()).responses.map(({ comment }) => comment)).toEqual(['fine', 'and documented'])
  })
})

describe('a contract that was withdrawn', () => {
  test('is in no list, inbox or status any more, and says so itself', async () => {
    await using desk = await openDesk()
    const { ids, get, backend, frontend, mobile } = await propose(desk)
    const { projectId } = ids
    expect(await backend('cacp/contract/withdraw', ids)).toEqual({
      contractId: ids.contractId,
      withdrawn: true,
    })
    expect(await backend('cacp/contract/withdraw', ids)).toMatchObject({ withdrawn: true })
    expect([await duties(frontend), await duties(mobile)]).toEqual([[], []])
    expect((await backend('cacp/contract/list', { projectId })).contracts).toEqual([])
    expect(
      (await backend('cacp/contract/list', { projectId, includeWithdrawn: true })).contracts,
    ).toMatchObject([{ withdrawn: true, status: 'proposed' }])
    expect(await get()).toMatchObject({ withdrawn: true, status: 'proposed' })
  })
})

describe('a contract in force', () => {
  test('ends when all agree to retire it, and then counts no more', async () => {
    await using desk = await openDesk()
    const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    await frontend('cacp/contract/update', { ...ids, retire: true, changeNote: 'nobody uses it' })
    expect(await get()).toMatchObject({ retired: false, inForce: { version: 1 }, content: { v: 1 } })
    await backend('cacp/contract/respond', { ...ids, action: 'agree' })
    expect(await get()).toMatchObject({ retired: true, inForce: null, status: 'agreed' })
    expect(await duties(backend)).toEqual([])
    const { projectId } = ids
    expect((await backend('cacp/contract/list', { projectId })).contracts).toMatchObject([{ retired: true }])
    expect((await backend('cacp/project/get', { projectId })).status).toBe('planning')
  })
})

describe('a failure', () => {
  test('sends back only the work of those it blames, and they are told', async () => {
    await using desk = await openDesk()
    const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    for (const call of [backend, frontend]) {
      await call('cacp/implementation/start', ids)
      await call('cacp/implementation/complete', { ...ids, files: [] })
    }
    await frontend('cacp/implementation/verify', { ...ids, result: 'success' })
    const verify = (blames: string[], result: 'failure' | 'partial' = 'failure') =>
      frontend('cacp/implementation/verify', { ...ids, result, blames, notes: '500 on login' })
    await expect(verify(['mobile-app'])).rejects.toMatchObject({
      message: expect.stringContaining('blames: mobile-app is no party of this contract'),
      next: expect.stringMatching(/^Name .*backend-api/),
      data: { field: 'blames' },
    })
    await expect(verify(['backend-api'], 'partial')).rejects.toMatchObject({ data: { field: 'blames' } })
    expect(await verify(['backend-api'])).toEqual({ status: 'failed', contractStatus: 'agreed' })
    expect(
      (await get()).implementations.map(({ agent_id, status }) => [agent_id === FRONTEND, status]),
    ).toEqual([
      [false, 'needs_revision'],
      [true, 'complete'],
    ])
    expect([await duties(backend), await duties(frontend)]).toEqual([['revise_implementation'], []])
    await backend('cacp/implementation/complete', { ...ids, files: ['mended.ts'] })
    expect(await get()).toMatchObject({ status: 'implemented' })
  })
})

describe('what somebody wrote', () => {
  test('is taken away by its author alone, and not while it is in force', async () => {
    await using desk = await openDesk()
    const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
    await frontend('cacp/contract/respond', { ...ids, action: 'agree', comment: 'the key is hunter2' })
    const { responses, head } = await get()
    const statementId = responses[0]?.response_id ?? ''
    const redact = (call: CallAs, id: string) =>
      call('cacp/contract/redact', { ...ids, statementId: id, reason: 'a secret' })
    await expect(redact(backend, statementId)).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(redact(frontend, '0'.repeat(64))).rejects.toMatchObject({ kind: 'not_found' })
    await expect(redact(backend, head.revision)).rejects.toMatchObject({
      kind: 'conflict',
      message: 'Version 1 is in force, and what was agreed stays',
    })
    expect(await redact(frontend, statementId)).toEqual({ statementId, status: 'redacted' })
    expect(await redact(frontend, statementId)).toEqual({ statementId, status: 'redacted' })
    expect(await get()).toMatchObject({
      status: 'agreed',
      responses: [{ action: 'agree', comment: '', redacted: { by: FRONTEND, reason: 'a secret' } }],
    })
    await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    await redact(backend, head.revision)
    const { history } = await backend('cacp/contract/get', { ...ids, includeHistory: true })
    expect(history).toMatchObject([
      { version: 1, content: { redacted: true }, redacted: { reason: 'a secret' } },
    ])
  })

  test('is shown with whose word it is, how that is known, and whether that agent was revoked since', async () => {
    await using desk = await openDesk()
    const { ids, get, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
    await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
    await frontend('cacp/implementation/start', ids)
    const by = { agent_id: FRONTEND, proof: 'signed' }
    expect(await get()).toMatchObject({
      head: { by: { proof: 'signed' } },
      responses: [{ by }],
      implementations: [{ by }],
    })
    expect((await get()).responses[0]?.by).not.toHaveProperty('revoked')
    const peer = { agent_id: FRONTEND, repo_name: 'frontend-app', trust: 'revoked' } as Peer
    await desk.store.commit(() => ({ local: [{ table: 'peer', id: FRONTEND, value: peer }], result: null }))
    const after = await get()
    expect(after).toMatchObject({
      responses: [{ by: { revoked: true } }],
      implementations: [{ by: { revoked: true } }],
    })
    expect(after.head.by).not.toHaveProperty('revoked')
  })
})

test('of a long history the newest part is shown, and the rest is read piece by piece', async () => {
  await using desk = await openDesk()
  const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  for (let n = 0; n < 250; n++)
    await frontend('cacp/contract/respond', { ...ids, action: 'request_change', comment: String(n) })
  const newest = await get()
  expect(newest.responses).toHaveLength(200)
  expect(newest.responses.at(-1)).toMatchObject({ comment: '249' })
  expect(newest.earlier).toMatchObject({ count: 51 })
  const before = newest.earlier?.before ?? ''
  const rest = await backend('cacp/contract/get', { ...ids, before })
  expect(rest.responses.map(({ comment }) => comment)).toEqual(
    Array.from({ length: 50 }, (_, n) => String(n)),
  )
  expect(rest).not.toHaveProperty('earlier')
  await expect(backend('cacp/contract/get', { ...ids, before: '0'.repeat(64) })).rejects.toMatchObject({
    kind: 'invalid_params',
  })
})
