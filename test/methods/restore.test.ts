import { expect, test } from 'vitest'
import { propose } from '../support/daemons/three-repos.ts'
import { openDesk } from '../support/desk/desk.ts'

/** Dropping a proposed change of a contract that is in force. */

async function changing(desk: Awaited<ReturnType<typeof openDesk>>) {
  const scene = await propose(desk, ['backend-api', 'frontend-app'])
  const { ids, backend, frontend } = scene
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 }, addParties: ['mobile-app'] })
  await frontend('cacp/contract/respond', { ...ids, action: 'reject' })
  return scene
}

const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => expect.fail('it was not refused'),
    (thrown) => thrown,
  )

test('its author is told a call that drops the proposal and not the contract', async () => {
  await using desk = await openDesk()
  const { ids, get, namesOf, backend, frontend } = await changing(desk)
  const { next, data } = await refusal(backend('cacp/contract/withdraw', ids))
  expect(next).toContain('cacp/contract/update {"restore": true}')
  expect(data.call).toEqual({ method: 'cacp/contract/update', params: { ...ids, restore: true, version: 2 } })
  expect(await backend(data.call.method, data.call.params)).toMatchObject({ version: 3, status: 'proposed' })
  const restored = await get()
  expect(restored).toMatchObject({ content: { v: 1 }, objections: [], inForce: { version: 1 } })
  expect(await namesOf(restored.parties)).toEqual(['backend-api', 'frontend-app'])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await get()).toMatchObject({ status: 'agreed', retired: false, inForce: { version: 3 } })
})

test('whoever has to revise it is told so, too', async () => {
  await using desk = await openDesk()
  const { backend } = await changing(desk)
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]).toMatchObject({ kind: 'revise_contract', why: expect.stringContaining('restore') })
})

test('a proposed end is dropped in the same way', async () => {
  await using desk = await openDesk()
  const { ids, get, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, retire: true })
  await backend('cacp/contract/update', { ...ids, restore: true })
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await get()).toMatchObject({ retired: false, inForce: { version: 3 } })
})

test('there is nothing to restore where nothing is in force, or nothing else is proposed', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend } = await propose(desk, ['backend-api', 'frontend-app'])
  const restore = () => backend('cacp/contract/update', { ...ids, restore: true })
  expect(await refusal(restore())).toMatchObject({
    kind: 'conflict',
    data: { call: { method: 'cacp/contract/withdraw' } },
  })
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await refusal(restore())).toMatchObject({
    message: expect.stringContaining('nothing else is proposed'),
  })
})

test('what is restored cannot be something else at the same time', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await changing(desk)
  const both = backend('cacp/contract/update', { ...ids, restore: true, content: { v: 9 } })
  expect(await refusal(both)).toMatchObject({ kind: 'invalid_params', data: { field: 'restore' } })
})
