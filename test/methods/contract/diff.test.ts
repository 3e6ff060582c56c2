import { expect, test } from 'vitest'
import { propose } from '../../support/daemons/three-repos.ts'
import { openDesk } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'

const PARTIES = ['backend-api', 'frontend-app']

test('what is in force is compared with what is proposed, value by value', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend } = await propose(desk, PARTIES)
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 }, changeNote: 'second' })
  await frontend('cacp/contract/update', { ...ids, content: { v: 3, avatar: { type: 'url' } } })
  expect(await frontend('cacp/contract/diff', ids)).toMatchObject({
    name: 'Login',
    from: { version: 1, proposedBy: 'backend-api', inForce: true },
    to: { version: 3, proposedBy: 'frontend-app', inForce: false },
    differences: [
      { mark: '+', path: 'avatar', after: { type: 'url' } },
      { mark: '~', path: 'v', before: 1, after: 3 },
    ],
  })
  expect(await frontend('cacp/contract/diff', { ...ids, fromVersion: 2, toVersion: 1 })).toMatchObject({
    from: { version: 2, changeNote: 'second' },
    to: { version: 1 },
    differences: [{ mark: '~', path: 'v', before: 2, after: 1 }],
  })
})

test('where nothing is in force beside it, the newest version is compared with the one before', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend } = await propose(desk, PARTIES)
  expect(await backend('cacp/contract/diff', ids)).toMatchObject({
    from: null,
    to: { version: 1 },
    differences: [{ mark: '+', path: 'v', after: 1 }],
  })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  const told = { from: { version: 1 }, to: { version: 2 }, differences: [{ path: 'v' }] }
  expect(await backend('cacp/contract/diff', ids)).toMatchObject(told)
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await backend('cacp/contract/diff', ids)).toMatchObject(told)
})

test('the differences come with what they mean for consumers, where there is something to compare with', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk, PARTIES)
  expect(await backend('cacp/contract/diff', ids)).not.toHaveProperty('review')
  const content = { method: 'GET', path: '/me', response: { id: 'uuid', email: 'email' } }
  await backend('cacp/contract/update', { ...ids, content })
  await backend('cacp/contract/update', { ...ids, content: { ...content, response: { id: 'uuid' } } })
  expect((await backend('cacp/contract/diff', ids)).review).toMatchObject({
    against: { version: 2 },
    verdict: 'breaking',
    changes: [{ at: 'response.200.body.email', kind: 'property-removed', verdict: 'breaking' }],
  })
})

test('versions of the same number are told apart by their revisions', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk, PARTIES)
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  await forkContract(desk, { ...ids, repoName: 'frontend-app', content: { v: 3 } })
  const { head, conflicts } = await backend('cacp/contract/get', ids)
  const [lost] = conflicts
  const between = { fromRevision: lost?.revision ?? '', toRevision: head.revision }
  const [one, other] = [lost?.content['v'], lost?.content['v'] === 2 ? 3 : 2]
  expect(await backend('cacp/contract/diff', { ...ids, ...between })).toMatchObject({
    from: { version: 2, revision: lost?.revision },
    to: { version: 2, revision: head.revision },
    differences: [{ mark: '~', path: 'v', before: one, after: other }],
    review: { form: expect.any(String) },
  })
  await expect(backend('cacp/contract/diff', { ...ids, toRevision: 'f'.repeat(64) })).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('toRevision: '),
  })
  await expect(
    backend('cacp/contract/diff', { ...ids, toVersion: 1, toRevision: head.revision }),
  ).rejects.toThrow('toRevision: goes with no toVersion')
})

test('a version that never was is refused with those that there are', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk, PARTIES)
  await expect(backend('cacp/contract/diff', { ...ids, fromVersion: 7 })).rejects.toMatchObject({
    kind: 'not_found',
    data: { field: 'fromVersion' },
    next: 'Its versions are 1 to 1',
  })
})

test('very many differences are cut, and the answer says so', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk, PARTIES)
  const content = Object.fromEntries(Array.from({ length: 2100 }, (_, n) => [`key${n}`, n]))
  await backend('cacp/contract/update', { ...ids, content })
  const { differences, truncated } = await backend('cacp/contract/diff', ids)
  expect([differences.length, truncated]).toEqual([2000, true])
})

test('open suggestions are numbered, oldest first, and one in words cannot be accepted as it is', async () => {
  await using desk = await openDesk()
  const { ids, get, frontend, mobile } = await propose(desk)
  const suggest = { ...ids, action: 'request_change' } as const
  await mobile('cacp/contract/respond', { ...suggest, comment: 'first', suggestedChange: 'make it shorter' })
  await frontend('cacp/contract/respond', { ...suggest, comment: 'second', suggestedChange: { v: 5 } })
  expect((await get()).suggestions).toMatchObject([
    { number: 1, repo: 'mobile-app', comment: 'first', acceptable: false },
    { number: 2, repo: 'frontend-app', comment: 'second', acceptable: true },
  ])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect((await get()).suggestions).toHaveLength(1)
})

test('who becomes a party, or is one no more, is told there and to those who have to agree', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, mobile } = await propose(desk, PARTIES)
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, parties: ['backend-api', 'mobile-app'] })
  expect(await backend('cacp/contract/diff', ids)).toMatchObject({
    differences: [],
    parties: { added: ['mobile-app'], removed: ['frontend-app'] },
  })
  for (const call of [frontend, mobile]) {
    const { items } = await call('cacp/inbox/list', {})
    expect(items[0]?.change).toEqual({ from: 1, fields: '', parties: '+mobile-app -frontend-app' })
  }
  expect((await frontend('cacp/brief', {})).text).toContain('parties «+mobile-app -frontend-app»')
})
