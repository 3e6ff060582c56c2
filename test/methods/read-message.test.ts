import { expect, test } from 'vitest'
import { duties, openThree } from '../support/daemons/three-repos.ts'
import { type CallAs, openDesk } from '../support/desk/desk.ts'

/** What is said to a repo by name is in its inbox until it is acknowledged or replied to. */

async function told(desk: Awaited<ReturnType<typeof openDesk>>, to: string[], message = 'Staging is back') {
  const three = await openThree(desk)
  const { projectId, backend } = three
  const say = (call: CallAs, more: { to?: string[]; replyTo?: string }, text = message) =>
    call('cacp/context/share', { projectId, type: 'dependency_info', content: { message: text }, ...more })
  const { packetId } = await say(backend, { to })
  return { ...three, packetId, say }
}

test('a message is an item of those whom it names, and of nobody else', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, mobile, packetId } = await told(desk, ['frontend-app'])
  expect((await frontend('cacp/inbox/list', {})).items).toMatchObject([
    {
      id: `read_message:${projectId}:${packetId}`,
      kind: 'read_message',
      about: { kind: 'packet', id: packetId, name: 'Staging is back' },
      from: { repo: 'backend-api' },
      why: '«backend-api» said this to this repo: read it, and reply to it or acknowledge it',
      message: 'Staging is back',
    },
  ])
  expect(await duties(backend)).toEqual([])
  expect(await duties(mobile)).toEqual([])
})

test('one that names nobody, or only who says it, is nobody’s', async () => {
  await using desk = await openDesk()
  const { backend, frontend, mobile } = await told(desk, [])
  expect([await duties(backend), await duties(frontend), await duties(mobile)]).toEqual([[], [], []])
  await using other = await openDesk()
  expect(await duties((await told(other, ['backend-api'])).backend)).toEqual([])
})

test('a repo that has not joined yet finds it when it does', async () => {
  await using desk = await openDesk()
  const { projectId, backend, mobile } = await openThree(desk, ['frontend-app'])
  const content = { message: 'Welcome' }
  await backend('cacp/context/share', { projectId, type: 'dependency_info', content, to: ['mobile-app'] })
  await mobile('cacp/project/join', { projectId, repoName: 'mobile-app' })
  expect(await duties(mobile)).toEqual(['read_message'])
})

test('reading it changes nothing, an ack ends it, and it can be shown again', async () => {
  await using desk = await openDesk()
  const { frontend, packetId } = await told(desk, ['frontend-app'])
  for (let time = 0; time < 3; time++) expect(await duties(frontend)).toEqual(['read_message'])
  await frontend('cacp/inbox/ack', { itemId: packetId })
  expect(await duties(frontend)).toEqual([])
  await frontend('cacp/inbox/ack', { itemId: packetId, undo: true })
  expect(await duties(frontend)).toEqual(['read_message'])
})

test('a reply ends it for who replies, until that is taken back', async () => {
  await using desk = await openDesk()
  const { projectId, frontend, mobile, packetId, say } = await told(desk, ['frontend-app', 'mobile-app'])
  const reply = await say(frontend, { replyTo: packetId }, 'Thanks')
  expect([await duties(frontend), await duties(mobile)]).toEqual([[], ['read_message']])
  await frontend('cacp/context/redact', { projectId, packetId: reply.packetId })
  expect(await duties(frontend)).toEqual(['read_message'])
})

test('a message that is taken back is nothing to read', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, packetId } = await told(desk, ['frontend-app'])
  await backend('cacp/context/redact', { projectId, packetId })
  expect(await duties(frontend)).toEqual([])
})

test('a question that names somebody is everybody’s to answer, and a message to nobody', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, mobile } = await openThree(desk)
  const content = { question: 'JWT?' }
  await backend('cacp/context/share', { projectId, type: 'question', content, to: ['frontend-app'] })
  for (const call of [frontend, mobile]) expect(await duties(call)).toEqual(['answer_question'])
})

test('whoever waits for its inbox is woken by it', async () => {
  await using desk = await openDesk()
  const { frontend, packetId, say, mobile } = await told(desk, ['frontend-app'])
  expect(await frontend('cacp/wait', { until: { inbox: {} } })).toMatchObject({ met: true })
  await frontend('cacp/inbox/ack', { itemId: packetId })
  const waiting = frontend('cacp/wait', { until: { inbox: {} } })
  await say(mobile, { to: ['frontend-app'] }, 'Hello')
  expect(await waiting).toMatchObject({ met: true, about: { count: 1, items: [{ kind: 'read_message' }] } })
})

test('a brief tells it until it is ended, and once', async () => {
  await using desk = await openDesk()
  const { frontend, mobile, packetId, say } = await told(desk, ['frontend-app'])
  const { cursor, text } = await frontend('cacp/brief', {})
  const line =
    /To read \(1\):\n- «backend-api» \([\w ]+\) said to you «Staging is back», since .* \(cacp\/inbox\/ack; /
  expect(text).toMatch(line)
  await say(mobile, { to: ['frontend-app'] }, 'Hello')
  await say(mobile, {}, 'To all')
  const { text: later } = await frontend('cacp/brief', { since: cursor })
  expect(later).toContain('To read (2):')
  expect(later.match(/Hello/g)).toHaveLength(1)
  expect(later).toContain('Messages (1):')
  await frontend('cacp/inbox/ack', { itemId: packetId })
  expect((await frontend('cacp/brief', {})).text).not.toContain('Staging')
})

test('of a long one the inbox shows the beginning', async () => {
  await using desk = await openDesk()
  const { frontend } = await told(desk, ['frontend-app'], 'long '.repeat(1000))
  const [item] = (await frontend('cacp/inbox/list', {})).items
  expect([item?.about.name.length, item?.message?.length]).toEqual([200, 2000])
})
