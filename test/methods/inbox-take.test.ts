import { expect, test } from 'vitest'
import type { ItemKind } from '../../src/domain/inbox/inbox.ts'
import { propose } from '../support/daemons/three-repos.ts'
import { type CallAs, type Desk, openDesk } from '../support/desk/desk.ts'

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

test('two that do not say who they are count as two, and each is told as whom it took something', async () => {
  await using desk = await openDesk()
  const { itemId, frontend, take } = await twoSessions(desk)
  const unnamed = () => frontend('cacp/inbox/take', { itemId })
  const { by, hint } = await unnamed()
  expect(by).toMatch(/^session [\w-]+$/)
  expect(hint).toBe(`It is taken as session ${by}: name that to take it again`)
  await expect(unnamed()).rejects.toMatchObject({
    kind: 'conflict',
    data: { takenBy: by },
    next: expect.stringContaining(
      `if that was you, cacp/inbox/take with itemId ${itemId} and session "${by}"`,
    ),
  })
  const again = await take(by)
  expect(again).toMatchObject({ by })
  expect(again).not.toHaveProperty('hint')
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

/** Of what the repos of a project do, only what the repo does that has taken an item gives it back. */
async function twoOfBackend(desk: Desk, kind: ItemKind) {
  const scene = await propose(desk)
  const { ids, backend } = scene
  const taken = async () =>
    (await backend('cacp/inbox/list', {})).items.find((item) => item.kind === kind)?.taken?.by
  const take = async () => {
    const item = (await backend('cacp/inbox/list', {})).items.find((one) => one.kind === kind)
    await backend('cacp/inbox/take', {
      itemId: item?.id ?? expect.fail(`there is ${kind}`),
      session: 'first',
    })
  }
  const agree = async () => {
    for (const repo of [scene.frontend, scene.mobile])
      await repo('cacp/contract/respond', { ...ids, action: 'agree' })
  }
  const build = async (repo: CallAs) => {
    await repo('cacp/implementation/start', ids)
    await repo('cacp/implementation/complete', { ...ids, files: [] })
  }
  return { ...scene, take, taken, agree, build }
}

test('it stays taken while others complete their part, until it is begun', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, agree, build, take, taken } = await twoOfBackend(
    desk,
    'start_implementation',
  )
  await agree()
  await take()
  await build(frontend)
  expect(await taken()).toBe('first')
  await backend('cacp/implementation/start', ids)
  expect(await taken()).toBeUndefined()
})

test('it stays taken while others object, until another version is proposed', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, mobile, take, taken } = await twoOfBackend(desk, 'revise_contract')
  await frontend('cacp/contract/respond', { ...ids, action: 'reject' })
  await take()
  await mobile('cacp/contract/respond', { ...ids, action: 'request_change', comment: 'more' })
  expect(await taken()).toBe('first')
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  await frontend('cacp/contract/respond', { ...ids, action: 'reject' })
  expect(await taken()).toBeUndefined()
})

test('it stays taken while others say how far it works, until the repo says so itself', async () => {
  await using desk = await openDesk()
  const scene = await twoOfBackend(desk, 'verify_contract')
  const { ids, backend, frontend, mobile, agree, build, take, taken } = scene
  await agree()
  for (const repo of [backend, frontend, mobile]) await build(repo)
  await take()
  await frontend('cacp/implementation/verify', { ...ids, result: 'partial' })
  expect(await taken()).toBe('first')
  await backend('cacp/implementation/verify', { ...ids, result: 'partial' })
  expect(await taken()).toBeUndefined()
})

test('it stays taken while others answer a question further, until the repo says something', async () => {
  await using desk = await openDesk()
  const { ids, backend, frontend, mobile, take, taken } = await twoOfBackend(desk, 'accept_answer')
  const { projectId } = ids
  const { packetId: replyTo } = await backend('cacp/context/askQuestion', { projectId, question: 'Why?' })
  const reply = { projectId, replyTo, type: 'dependency_info' as const, content: { answer: 'so' } }
  await frontend('cacp/context/share', reply)
  await take()
  await mobile('cacp/context/share', reply)
  expect(await taken()).toBe('first')
  await backend('cacp/context/share', { ...reply, content: { question: 'How so?' } })
  await mobile('cacp/context/share', reply)
  expect(await taken()).toBeUndefined()
})

test('it stays taken when there is a newer version to answer', async () => {
  await using desk = await openDesk()
  const { ids, backend, take, taken } = await twoSessions(desk)
  const { until } = await take('first')
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  expect(await taken()).toEqual({ by: 'first', until })
})
