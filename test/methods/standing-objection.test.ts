import { expect, test } from 'vitest'
import { duties, propose } from '../support/daemons/three-repos.ts'
import { openDesk } from '../support/desk/desk.ts'

/** An objection among three, from when it is made until it is met, as each of them sees it. */

const SUGGESTED = { email: 'string or null' }

async function objected(desk: Awaited<ReturnType<typeof openDesk>>) {
  const scene = await propose(desk)
  const { ids, frontend, mobile } = scene
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await mobile('cacp/contract/respond', {
    ...ids,
    action: 'request_change',
    comment: 'email must be nullable',
    suggestedChange: SUGGESTED,
  })
  return scene
}

test('get and list name who objects and who has not answered', async () => {
  await using desk = await openDesk()
  const { ids, get, namesOf, backend, mobile } = await propose(desk)
  const listed = async () => (await backend('cacp/contract/list', { projectId: ids.projectId })).contracts[0]
  await mobile('cacp/contract/respond', { ...ids, action: 'reject', comment: 'no' })
  for (const one of [await get(), await listed()]) {
    expect(await namesOf(one?.objections ?? [])).toEqual(['mobile-app'])
    expect(await namesOf(one?.unanswered ?? [])).toEqual(['frontend-app'])
  }
})

test('an answer says who objects and who is still to answer', async () => {
  await using desk = await openDesk()
  const { ids, frontend, mobile } = await propose(desk)
  expect(await mobile('cacp/contract/respond', { ...ids, action: 'reject' })).toMatchObject({
    objections: ['mobile-app'],
    unanswered: ['frontend-app'],
  })
  expect(await frontend('cacp/contract/respond', { ...ids, action: 'agree' })).toMatchObject({
    contractStatus: 'negotiating',
    objections: ['mobile-app'],
  })
})

test('whoever objects keeps the very item that it had, until it agrees or there is a new version', async () => {
  await using desk = await openDesk()
  const { ids, backend, mobile } = await propose(desk)
  const itemOf = async () => (await mobile('cacp/inbox/list', {})).items[0]
  const before = await itemOf()
  await mobile('cacp/contract/respond', { ...ids, action: 'request_change', comment: 'why?' })
  const kept = await itemOf()
  expect(kept).toMatchObject({ id: before?.id, state: before?.state, since: before?.since })
  expect(kept?.why).toBe(
    'This repo objects to version 1 of «backend-api»: it is not agreed before this repo agrees to it, or to a new version',
  )
  expect(kept?.next).toEqual({
    method: 'cacp/wait',
    params: { until: { contract: { ...ids, versionAbove: 1 } }, timeoutSeconds: 50 },
  })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  expect(await desk.send(kept?.next.method ?? '', kept?.next.params)).toMatchObject({ met: true })
  const next = await itemOf()
  expect(next).toMatchObject({ kind: 'answer_contract', about: { version: 2 } })
  expect(next?.state).not.toBe(before?.state)
  await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await itemOf()).toBeUndefined()
})

test('the objection is shown to everybody in inbox and brief until it is met', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, mobile } = await objected(desk)
  const { waitingFor } = await frontend('cacp/inbox/list', {})
  expect(waitingFor).toMatchObject([{ for: 'propose a new version', objectedBy: ['mobile-app'] }])
  expect((await frontend('cacp/brief', {})).text).toContain('objected to by «mobile-app»')
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]).toMatchObject({ kind: 'revise_contract', objections: [{ repo: 'mobile-app' }] })
  expect((await backend('cacp/brief', {})).text).toContain('«email must be nullable»')
  await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
  for (const call of [backend, frontend, mobile]) {
    expect((await call('cacp/brief', {})).text).not.toContain('objected')
    const { items: after, waitingFor: waits } = await call('cacp/inbox/list', {})
    expect([...after, ...waits].filter((one) => 'objections' in one || 'objectedBy' in one)).toEqual([])
  }
})

test('who is still to answer reads what another one holds against it', async () => {
  await using desk = await openDesk()
  const { ids, frontend, mobile } = await propose(desk)
  await mobile('cacp/contract/respond', { ...ids, action: 'reject', comment: 'not like this' })
  const { items } = await frontend('cacp/inbox/list', {})
  expect(items).toMatchObject([
    { kind: 'answer_contract', objections: [{ repo: 'mobile-app', comment: 'not like this' }] },
  ])
  expect((await frontend('cacp/brief', {})).text).toMatch(
    /awaits your answer; proposed by «backend-api» \(own\); objected to by «mobile-app» \(own\) «not like this», since/,
  )
})

test('the call that accepts a suggestion stands beside it, and makes it the next version', async () => {
  await using desk = await openDesk()
  const { ids, get, backend } = await objected(desk)
  const { items } = await backend('cacp/inbox/list', {})
  const accept = items[0]?.objections?.[0]?.accept
  expect(accept).toMatchObject({ method: 'cacp/contract/update', params: { ...ids, version: 1 } })
  await desk.send(accept?.method ?? '', accept?.params)
  expect(await get()).toMatchObject({ version: 2, content: SUGGESTED, status: 'proposed', objections: [] })
})

test('an objection keeps nobody from mending what does not work meanwhile', async () => {
  await using desk = await openDesk()
  const { ids, backend, mobile } = await propose(desk, ['backend-api', 'mobile-app'])
  await mobile('cacp/contract/respond', { ...ids, action: 'agree' })
  for (const call of [backend, mobile]) {
    await call('cacp/implementation/start', ids)
    await call('cacp/implementation/complete', { ...ids, files: [] })
  }
  await backend('cacp/implementation/verify', { ...ids, result: 'failure', blames: ['mobile-app'] })
  await mobile('cacp/contract/respond', { ...ids, action: 'reject', comment: 'it cannot be built' })
  expect((await duties(mobile)).sort()).toEqual(['answer_contract', 'revise_implementation'])
})

test('what is in force and what is proposed are both shown, with what would change', async () => {
  await using desk = await openDesk()
  const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect((await get()).inForce).not.toHaveProperty('content')
  await backend('cacp/contract/update', { ...ids, content: { v: 2, avatar: 'url' } })
  expect(await get()).toMatchObject({
    version: 2,
    content: { v: 2, avatar: 'url' },
    inForce: { version: 1, status: 'agreed', content: { v: 1 } },
  })
  const { items } = await frontend('cacp/inbox/list', {})
  expect(items[0]).toMatchObject({
    why: '«backend-api» proposed version 2 and needs an answer: agree, request_change or reject; version 1 is in force until all agree; unknown: «not understood, because it is in no form that is known»',
    change: { from: 1, fields: '+avatar ~v' },
  })
  expect((await frontend('cacp/brief', {})).text).toContain(
    '; in force is version 1, of which it changes «+avatar ~v», since',
  )
})
