import { expect, test } from 'vitest'
import { openThree } from '../support/daemons/three-repos.ts'
import { openDesk, openFeature } from '../support/desk/desk.ts'

/** What is decided on a question. */

async function asked(desk: Awaited<ReturnType<typeof openDesk>>) {
  const feature = await openFeature(desk)
  const { projectId, frontend } = feature
  const { packetId } = await frontend('cacp/context/askQuestion', {
    projectId,
    question: 'JWT or cookies?',
    options: ['JWT', 'Cookies'],
  })
  const decide = (call: typeof frontend, chosen: string, replyTo = packetId) =>
    call('cacp/context/recordDecision', {
      projectId,
      decision: 'Auth',
      chosen,
      rationale: 'because',
      replyTo,
    })
  const packets = async () => (await frontend('cacp/context/list', { projectId })).packets
  const thread = async () => (await frontend('cacp/context/getThread', { projectId, packetId })).thread
  const kinds = async (call: typeof frontend) =>
    (await call('cacp/inbox/list', {})).items.map(({ kind }) => kind)
  return { ...feature, question: packetId, decide, packets, thread, kinds }
}

test('a decision that is not among the options is taken and marked', async () => {
  await using desk = await openDesk()
  const { frontend, backend, decide, packets, thread, kinds } = await asked(desk)
  expect(await decide(frontend, 'Passkeys')).toMatchObject({ status: 'shared', notAmongOptions: true })
  for (const list of [await packets(), await thread()])
    expect(list.map((one) => one.not_among_options)).toEqual([undefined, true])
  expect((await backend('cacp/brief', {})).text).toContain('which is not among the options of the question')
  expect([await kinds(frontend), await kinds(backend)]).toEqual([[], []])
})

test('one that is, or on a question without options, is not', async () => {
  await using desk = await openDesk()
  const { projectId, frontend, decide } = await asked(desk)
  expect(await decide(frontend, ' JWT ')).not.toHaveProperty('notAmongOptions')
  const { packetId } = await frontend('cacp/context/askQuestion', { projectId, question: 'Which port?' })
  expect(await decide(frontend, '8080', packetId)).not.toHaveProperty('notAmongOptions')
})

test('two decisions on one question are shown as contradictory to both sides, until they are one', async () => {
  await using desk = await openDesk()
  const { frontend, backend, decide, packets, thread, kinds } = await asked(desk)
  const { packetId: first } = await decide(frontend, 'JWT')
  expect(await decide(backend, 'Cookies')).toMatchObject({ contradicts: [first], hint: expect.any(String) })
  for (const list of [await packets(), await thread()]) {
    const second = list.find(({ content }) => content['chosen'] === 'Cookies')?.packet_id
    expect(list.map((one) => one.contradicted_by)).toEqual([[first, second], [second], [first]])
  }
  const { items } = await backend('cacp/inbox/list', {})
  expect(items[0]).toMatchObject({ from: { repo: 'frontend-app' }, next: { params: { chosen: 'JWT' } } })
  expect((await backend('cacp/brief', {})).text).toContain('decided otherwise than you on «JWT or cookies?»')
  expect((await frontend('cacp/brief', {})).text).toContain(
    'question «JWT or cookies?» waits for «backend-api» to decide the same',
  )
  await decide(backend, 'JWT')
  expect([await kinds(frontend), await kinds(backend)]).toEqual([[], []])
  expect((await packets()).filter((one) => one.contradicted_by !== undefined)).toEqual([])
})

test('whoever asked is told, too, that two others decided otherwise, until they are one', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, mobile } = await openThree(desk)
  const asked = { projectId, question: 'JWT or cookies?', options: ['JWT', 'Cookies'] }
  const { packetId: replyTo } = await mobile('cacp/context/askQuestion', asked)
  const decide = (call: typeof mobile, chosen: string) =>
    call('cacp/context/recordDecision', { projectId, decision: 'Auth', chosen, rationale: 'why', replyTo })
  const waitingFor = async () => (await mobile('cacp/inbox/list', {})).waitingFor
  await decide(backend, 'JWT')
  expect(await waitingFor()).toEqual([])
  await decide(frontend, 'Cookies')
  expect(await waitingFor()).toMatchObject([
    { about: { id: replyTo }, repos: ['frontend-app'], for: 'decide the same' },
  ])
  expect((await mobile('cacp/brief', {})).text).toContain(
    'question «JWT or cookies?» waits for «frontend-app» to decide the same',
  )
  await decide(frontend, 'JWT')
  expect(await waitingFor()).toEqual([])
})

test('a repo that changes its own mind contradicts nobody, nor does a decision on a question in between', async () => {
  await using desk = await openDesk()
  const { projectId, question, frontend, backend, decide, kinds } = await asked(desk)
  await decide(frontend, 'Cookies')
  expect(await decide(frontend, 'JWT')).not.toHaveProperty('contradicts')
  const { packetId } = await backend('cacp/context/askQuestion', {
    projectId,
    question: 'Which library?',
    replyTo: question,
  })
  expect(await decide(backend, 'jose', packetId)).not.toHaveProperty('contradicts')
  expect([await kinds(frontend), await kinds(backend)]).toEqual([[], []])
})

test('a decision that is taken back contradicts nobody any more', async () => {
  await using desk = await openDesk()
  const { projectId, frontend, backend, decide, kinds } = await asked(desk)
  await decide(frontend, 'JWT')
  const { packetId } = await decide(backend, 'Cookies')
  await backend('cacp/context/redact', { projectId, packetId })
  expect([await kinds(frontend), await kinds(backend)]).toEqual([[], []])
})

test('of two who decided otherwise the later one is asked, so that both cannot give way to each other', async () => {
  await using desk = await openDesk()
  const { projectId, question, frontend, backend, decide, kinds } = await asked(desk)
  await decide(backend, 'Cookies')
  await decide(frontend, 'JWT')
  expect([await kinds(backend), await kinds(frontend)]).toEqual([[], ['settle_decisions']])
  const { waitingFor } = await backend('cacp/inbox/list', {})
  expect(waitingFor).toMatchObject([
    { about: { id: question }, repos: ['frontend-app'], for: 'decide the same' },
  ])
  expect((await backend('cacp/project/summary', { projectId })).owed).toMatchObject([
    { kind: 'question', name: 'JWT or cookies?', repos: ['frontend-app'], to: 'decide the same' },
  ])
  const { items } = await frontend('cacp/inbox/list', {})
  expect(items[0]?.next.params).toMatchObject({ chosen: 'Cookies' })
  await frontend(
    items[0]?.next.method as never,
    { ...items[0]?.next.params, rationale: 'they were first' } as never,
  )
  expect([await kinds(backend), await kinds(frontend)]).toEqual([[], []])
  expect((await backend('cacp/project/summary', { projectId })).owed).toEqual([])
})

test('a decision that its own repo replaced is marked, and is in no summary and no brief of what was decided', async () => {
  await using desk = await openDesk()
  const { projectId, frontend, backend, decide, packets } = await asked(desk)
  const { packetId: kept } = await decide(frontend, 'JWT')
  const { packetId: old } = await decide(backend, 'Cookies')
  const { packetId: newer } = await decide(backend, 'JWT')
  const marked = (await packets()).filter((one) => one.replaced_by !== undefined)
  expect(marked).toMatchObject([{ packet_id: old, replaced_by: newer }])
  const { decisions } = await backend('cacp/project/summary', { projectId })
  expect(decisions.map(({ packetId }) => packetId)).toEqual([newer, kept])
  const { text } = await frontend('cacp/brief', {})
  expect(text).toContain('JWT')
  expect(text).not.toContain('Cookies')
})
