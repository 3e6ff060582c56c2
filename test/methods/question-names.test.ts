import { expect, test } from 'vitest'
import { openDesk, openFeature } from '../support/desk/desk.ts'

/** A question goes by what it asks, like a contract by its name. */

const ASKED = 'Which port?'

async function asked() {
  const desk = await openDesk()
  const feature = await openFeature(desk)
  const { packetId } = await feature.frontend('cacp/context/askQuestion', { question: ASKED })
  const thread = async (word: string) =>
    (await feature.backend('cacp/context/getThread', { packetId: word })).thread.map((one) => one.packet_id)
  return { ...feature, packetId, thread, [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose]() }
}

test('a question is looked at, waited for, answered and decided by what it asks', async () => {
  await using scene = await asked()
  const { backend, frontend, packetId, thread } = scene
  expect(await thread(ASKED)).toEqual([packetId])
  const reply = { type: 'dependency_info' as const, content: { answer: '80' }, replyTo: ASKED }
  const { packetId: answerId } = await backend('cacp/context/share', reply)
  const until = { question: { packetId: ASKED } }
  expect(await frontend('cacp/wait', { until })).toMatchObject({ met: true, about: { packetId, answerId } })
  const decision = { decision: ASKED, chosen: '80', rationale: '', replyTo: ASKED }
  await frontend('cacp/context/recordDecision', decision)
  const other = await backend('cacp/context/recordDecision', { ...decision, chosen: '443' })
  expect(other).toMatchObject({ contradicts: [expect.any(String)] })
  expect(await thread(ASKED)).toHaveLength(4)
})

test('one that is open goes before those that are decided, and several of the same are told apart', async () => {
  await using scene = await asked()
  const { backend, frontend, packetId, thread } = scene
  await backend('cacp/context/recordDecision', {
    ...{ decision: ASKED, chosen: '80', rationale: '', replyTo: packetId },
  })
  const again = await frontend('cacp/context/askQuestion', { question: ASKED })
  expect(await thread(ASKED)).toEqual([again.packetId])
  const third = await backend('cacp/context/askQuestion', { question: ASKED })
  await expect(thread(ASKED)).rejects.toMatchObject({
    kind: 'invalid_params',
    message: expect.stringMatching(
      /^2 packets are called «Which port\?»: .*\(open question, by «frontend-app», created 2026-11-16 09:00 UTC\)/,
    ),
    data: {
      candidates: expect.arrayContaining([
        {
          id: third.packetId,
          name: ASKED,
          status: 'open question',
          by: 'backend-api',
          createdAt: expect.any(String),
        },
      ]),
    },
  })
  await backend('cacp/context/redact', { packetId: third.packetId })
  expect(await thread(ASKED)).toEqual([again.packetId])
})

test('a long one goes by its beginning as the inbox shows it, and one of several lines by one line', async () => {
  await using scene = await asked()
  const { backend, frontend, thread } = scene
  const long = await frontend('cacp/context/askQuestion', { question: `Why ${'so '.repeat(200)}?` })
  const lines = await frontend('cacp/context/askQuestion', { question: 'This\nor that?' })
  const { items } = await backend('cacp/inbox/list', {})
  const nameOf = (id: string) => items.find(({ about }) => about.id === id)?.about.name ?? ''
  expect(nameOf(long.packetId)).toMatch(/^Why so so .*…$/)
  expect(await thread(nameOf(long.packetId))).toEqual([long.packetId])
  expect(await thread('This or that?')).toEqual([lines.packetId])
})

test('what no packet goes by is an error that says how packets are named', async () => {
  await using scene = await asked()
  await expect(scene.thread('nonsense')).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringMatching(/^No packet nonsense in project /),
    next: expect.stringContaining('a question goes by what it asks'),
  })
  await expect(scene.thread('Wich port?')).rejects.toMatchObject({
    next: expect.stringContaining('Did you mean «Which port?»? '),
  })
})
