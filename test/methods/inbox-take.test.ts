import { expect, test } from 'vitest'
import { openDesk } from '../support/desk.ts'
import { propose } from '../support/three-repos.ts'

/** Two sessions of one repo that do not want to do the same thing twice. */

async function twoSessions(desk: Awaited<ReturnType<typeof openDesk>>) {
  const scene = await propose(desk, ['backend-api', 'frontend-app'])
  const { ids, frontend } = scene
  const itemId = `answer_contract:${ids.projectId}:${ids.contractId}`
  const take = (session: string, minutes?: number) =>
    frontend('cacp/inbox/take', { itemId, session, ...(minutes && { minutes }) })
  const taken = async () => (await frontend('cacp/inbox/list', { includeAcked: true })).items[0]?.taken
  return { ...scene, itemId, take, taken }
}

test('an item that one session takes is shown as taken to the other, which cannot take it', async () => {
  await using desk = await openDesk()
  const { take, taken } = await twoSessions(desk)
  const { until } = await take('first')
  expect(Date.parse(until) - Date.UTC(2026, 10, 16, 9, 30)).toBeLessThan(1000)
  expect(await taken()).toEqual({ by: 'first', until })
  await expect(take('second')).rejects.toMatchObject({
    kind: 'conflict',
    message: `first has taken this item until ${until}`,
    data: { takenBy: 'first' },
  })
  await expect(take('first')).resolves.toMatchObject({ by: 'first' })
})

test('it is given back by time', async () => {
  await using desk = await openDesk()
  const { take, taken } = await twoSessions(desk)
  await take('first', 5)
  desk.clock.advance(301)
  expect(await taken()).toBeUndefined()
  await expect(take('second')).resolves.toMatchObject({ by: 'second' })
})

test('it is given back by ack', async () => {
  await using desk = await openDesk()
  const { itemId, frontend, take, taken } = await twoSessions(desk)
  await take('first')
  await frontend('cacp/inbox/ack', { itemId })
  expect(await taken()).toBeUndefined()
})

test('it is given back by doing it, and what comes after is nobody’s', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, take, taken } = await twoSessions(desk)
  await take('first')
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  expect((await frontend('cacp/inbox/list', {})).items[0]).toMatchObject({ about: { version: 2 } })
  expect(await taken()).toBeUndefined()
})

test('it is nothing that other repos see, nor anything that is said in the project', async () => {
  await using desk = await openDesk()
  const { itemId, take, backend } = await twoSessions(desk)
  const said = [...desk.store.statements()].length
  await take('first')
  expect([...desk.store.statements()].length).toBe(said)
  await expect(backend('cacp/inbox/take', { itemId, session: 'x' })).rejects.toMatchObject({
    kind: 'not_found',
  })
})
