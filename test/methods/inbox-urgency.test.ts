import { expect, test } from 'vitest'
import { propose } from '../support/daemons/three-repos.ts'
import { type CallAs, openDesk } from '../support/desk/desk.ts'
import { agreed, complete, kindsIn, openScene } from '../support/desk/inbox-scenes.ts'

/** What a repo has to do that nobody waits for: it stands in the inbox, behind all else, and ends no wait. */

/** A wait for the inbox, and whether it goes on after everything so far had its effect. */
function waiting(call: CallAs) {
  let isOver = false
  const answer = call('cacp/wait', { until: { inbox: {} } })
  answer
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const isPending = async () => {
    for (let turn = 0; turn < 5; turn++) await call('cacp/project/list', {})
    return !isOver
  }
  return { answer, isPending }
}

test('whoever has started and not completed has that to do, with the call that completes it', async () => {
  await using scene = await openScene()
  const ids = await agreed(scene)
  for (const call of [scene.backend, scene.frontend]) await call('cacp/implementation/start', ids)
  for (const call of [scene.backend, scene.frontend])
    expect((await call('cacp/inbox/list', {})).items).toMatchObject([
      {
        kind: 'complete_implementation',
        urgency: 'low',
        why: 'This repo has started to implement version 1: say when its part is complete',
        next: { method: 'cacp/implementation/complete', params: { ...ids, files: [] }, fill: ['files'] },
      },
    ])
  await scene.backend('cacp/implementation/complete', { ...ids, files: ['a.ts'] })
  expect(await kindsIn(scene.backend)).toEqual([])
  const [item] = (await scene.frontend('cacp/inbox/list', {})).items
  expect(item).toMatchObject({ kind: 'waits_for_me' })
  expect(item).not.toHaveProperty('urgency')
})

test('a brief tells it apart from what others wait for', async () => {
  await using scene = await openScene()
  const ids = await agreed(scene)
  for (const call of [scene.backend, scene.frontend]) await call('cacp/implementation/start', ids)
  const { text } = await scene.backend('cacp/brief', {})
  expect(text).toContain('Under way (1):\n- contract «Get User Profile» version 1 is begun')
  expect(text).not.toContain('You block others')
})

test('it stands behind what others wait for, however old it is', async () => {
  await using scene = await openScene()
  const ids = await agreed(scene)
  await scene.backend('cacp/implementation/start', ids)
  const { projectId } = scene
  await scene.frontend('cacp/context/askQuestion', { projectId, question: 'JWT?' })
  expect(await kindsIn(scene.backend)).toEqual(['answer_question', 'complete_implementation'])
  const { items, count } = await scene.backend('cacp/inbox/list', { limit: 1 })
  expect({ kinds: items.map(({ kind }) => kind), count }).toEqual({ kinds: ['answer_question'], count: 2 })
})

test('a wait for the inbox goes on while a repo only keeps its objection, and ends by a new version', async () => {
  await using desk = await openDesk()
  const { ids, backend, mobile } = await propose(desk)
  await mobile('cacp/contract/respond', { ...ids, action: 'reject', comment: 'no' })
  expect((await mobile('cacp/inbox/list', {})).items).toMatchObject([{ urgency: 'low' }])
  const { answer, isPending } = waiting(mobile)
  expect(await isPending()).toBe(true)
  await backend('cacp/contract/update', { ...ids, content: { v: 2 } })
  expect(await answer).toMatchObject({
    met: true,
    about: { count: 1, items: [{ kind: 'answer_contract' }] },
  })
})

test('a wait for the inbox goes on while a repo works, and ends when another waits for it', async () => {
  await using scene = await openScene()
  const ids = await agreed(scene)
  for (const call of [scene.backend, scene.frontend]) await call('cacp/implementation/start', ids)
  const { answer, isPending } = waiting(scene.backend)
  expect(await isPending()).toBe(true)
  await complete(scene.frontend, ids)
  expect(await answer).toMatchObject({ met: true, about: { items: [{ kind: 'waits_for_me' }] } })
})

test('what is hidden of low urgency is not taken off what counts for a wait', async () => {
  await using scene = await openScene()
  const ids = await agreed(scene)
  await scene.backend('cacp/implementation/start', ids)
  const [own] = (await scene.backend('cacp/inbox/list', {})).items
  await scene.backend('cacp/inbox/ack', { itemId: own?.id ?? '' })
  await scene.frontend('cacp/context/askQuestion', { projectId: scene.projectId, question: 'JWT?' })
  expect(await waiting(scene.backend).answer).toMatchObject({ met: true, about: { count: 1 } })
})
