import { describe, expect, test } from 'vitest'
import { KINDS } from '../../src/domain/statements/kinds.ts'
import { type Desk, FRONTEND, openDesk, openFeature } from '../support/desk/desk.ts'
import { personAt } from '../support/desk/person.ts'

/** What a person does at the dashboard, and how it is told apart from what the agent of the repository does. */

const PROPOSAL = { type: 'api_endpoint', name: 'Get User', content: { path: '/users/me' } } as const

const said = (desk: Desk) => Array.from(desk.store.statements(), ({ statement }) => statement)

/** Kinds that no caller says: what was seen, what files are like, and a new key, which the daemon signs over to. */
const OF_DAEMONS = ['sighting', 'tree', 'rotation']

describe('what a person says', () => {
  test('is marked as that, whatever it is', async () => {
    await using desk = await openDesk()
    const { call } = await personAt(desk)
    const repos = [{ name: 'backend-api' }, { name: 'spare' }]
    const { projectId } = await call('cacp/project/create', { name: 'Auth', objective: 'log in', repos })
    await call('cacp/project/removeRepo', { projectId, repoName: 'spare' })
    const ids = { projectId, ...(await call('cacp/contract/propose', { projectId, ...PROPOSAL })) }
    const target = { projectId, contractId: ids.contractId }
    await call('cacp/contract/update', { ...target, content: { path: '/me' }, version: 1 })
    await call('cacp/contract/respond', { ...target, action: 'agree' })
    await call('cacp/contract/expect', { ...target, uses: [] })
    await call('cacp/implementation/start', target)
    await call('cacp/implementation/complete', { ...target, files: ['me.py'] })
    await call('cacp/implementation/verify', { ...target, result: 'success' })
    await call('cacp/implementation/merged', target)
    await call('cacp/project/addRepo', { projectId, name: 'frontend-app' })
    const asked = await call('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
    await call('cacp/context/redact', { projectId, packetId: asked.packetId, reason: 'asked in error' })
    const other = await call('cacp/contract/propose', { projectId, ...PROPOSAL, name: 'Other' })
    await call('cacp/contract/withdraw', { projectId, contractId: other.contractId })
    await call('cacp/repo/release', { projectId, repoName: 'backend-api' })
    const joined = { projectId, repoName: 'frontend-app' }
    await call('cacp/project/join', joined)
    await call('cacp/project/join', { ...joined, agentEndpoint: 'http://127.0.0.1:8081' })
    await call('cacp/repo/settle', { ...joined, holder: null })
    await call('cacp/project/archive', { projectId })

    const byCallers = said(desk).filter(({ kind }) => !OF_DAEMONS.includes(kind))
    expect(byCallers.filter(({ body }) => body['by_person'] !== true)).toEqual([])
    const kinds = new Set(byCallers.map(({ kind }) => kind))
    expect([...KINDS.keys()].filter((kind) => !kinds.has(kind)).sort()).toEqual([...OF_DAEMONS].sort())
  })

  test('is not mixed up with what its agent says', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    expect(said(desk).filter(({ body }) => 'by_person' in body)).toEqual([])
    await (await personAt(desk)).call('cacp/contract/propose', { projectId, ...PROPOSAL })
    expect(said(desk).filter(({ body }) => 'by_person' in body)).toHaveLength(1)
  })

  test('is shown so in the contract, in packets, in the inbox and in the brief of others', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const { call } = await personAt(desk)
    const { contractId } = await call('cacp/contract/propose', { projectId, ...PROPOSAL })
    await call('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
    const read = await frontend('cacp/contract/get', { projectId, contractId })
    expect(read.head.by).toMatchObject({ agent_id: 'aid://example.com/backend@1.0.0', by_person: true })
    const { items } = await frontend('cacp/inbox/list', {})
    expect(items.map(({ from, why }) => ({ ...from, why }))).toEqual([
      {
        repo: 'backend-api',
        agentId: 'aid://example.com/backend@1.0.0',
        byPerson: true,
        why: 'A person at «backend-api» proposed version 1 and needs an answer: agree, request_change or reject',
      },
      {
        repo: 'backend-api',
        agentId: 'aid://example.com/backend@1.0.0',
        byPerson: true,
        why: 'A person at «backend-api» asked a question that nobody has decided yet',
      },
    ])
    const { text } = await frontend('cacp/brief', {})
    expect(text).toMatch(/proposed by a person at «backend-api» \(/)
    expect(text).toMatch(/- a person at «backend-api» \([\w ]+\) asked «JWT or cookies\?»/)
  })

  test('objections of people are told apart in what has to be revised', async () => {
    await using desk = await openDesk()
    const { projectId, frontend } = await openFeature(desk)
    const { contractId } = await frontend('cacp/contract/propose', { projectId, ...PROPOSAL })
    const { call } = await personAt(desk)
    const answer = { action: 'request_change', comment: 'too wide' } as const
    await call('cacp/contract/respond', { projectId, contractId, ...answer })
    const [item] = (await frontend('cacp/inbox/list', {})).items
    expect(item).toMatchObject({
      kind: 'revise_contract',
      why: expect.stringMatching(/^A person at «backend-api» did not agree to version 1/),
      objections: [{ repo: 'backend-api', byPerson: true, comment: 'too wide' }],
    })
    expect((await frontend('cacp/brief', {})).text).toContain('answered by a person at «backend-api»')
  })
})

describe('what a person hides', () => {
  async function withQuestion(desk: Desk) {
    const { projectId, frontend, backend } = await openFeature(desk)
    await frontend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
    const [item] = (await backend('cacp/inbox/list', {})).items
    return { backend, itemId: item?.id ?? '' }
  }

  const count = async (call: Desk['call']) => (await call('cacp/inbox/list', {})).count

  test('is hidden from all people there, and not from the agent', async () => {
    await using desk = await openDesk()
    const { backend, itemId } = await withQuestion(desk)
    const [one, other] = [await personAt(desk), await personAt(desk)]
    await one.call('cacp/inbox/ack', { itemId })
    expect([await count(one.call), await count(other.call), await count(backend)]).toEqual([0, 0, 1])
    await other.call('cacp/inbox/ack', { itemId, undo: true })
    expect([await count(one.call), await count(backend)]).toEqual([1, 1])
  })

  test('stays visible to people where the agent hides it', async () => {
    await using desk = await openDesk()
    const { backend, itemId } = await withQuestion(desk)
    const { call } = await personAt(desk)
    await backend('cacp/inbox/ack', { itemId })
    expect([await count(call), await count(backend)]).toEqual([1, 0])
  })

  test('leaves what a session of the agent has taken with that session', async () => {
    await using desk = await openDesk()
    const { backend, itemId } = await withQuestion(desk)
    const { call } = await personAt(desk)
    await backend('cacp/inbox/take', { itemId, session: 'claude 4711' })
    await call('cacp/inbox/ack', { itemId })
    const [item] = (await backend('cacp/inbox/list', {})).items
    expect(item?.taken).toMatchObject({ by: 'claude 4711' })
  })
})

test('the project that a person chooses is not chosen for the agent', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  await backend('cacp/project/create', { name: 'Another', objective: 'o', repos: [{ name: 'backend-api' }] })
  const { call } = await personAt(desk)
  await call('cacp/project/use', { projectId })
  expect(await call('cacp/project/current', {})).toMatchObject({ projectId, isSet: true })
  expect(await backend('cacp/project/current', {})).toMatchObject({ projectId: null, isSet: false })
})

test('an idempotency key counts within a session: another one, and the agent, have their own', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const [one, other] = [await personAt(desk), await personAt(desk)]
  const call = { projectId, question: 'JWT or cookies?', idempotencyKey: 'form 1' }
  const first = await one.call('cacp/context/askQuestion', call)
  expect(await one.call('cacp/context/askQuestion', call)).toEqual(first)
  const others = [
    await other.call('cacp/context/askQuestion', call),
    await backend('cacp/context/askQuestion', call),
  ]
  expect(new Set([first, ...others].map(({ packetId }) => packetId)).size).toBe(3)
})

test('a person who was logged out in the meantime has nothing done', async () => {
  await using desk = await openDesk()
  const { projectId } = await openFeature(desk)
  const { call, caller } = await personAt(desk)
  const id = caller.person?.session ?? ''
  await desk.store.commit(() => ({ result: undefined, local: [{ table: 'session', id, value: null }] }))
  await expect(call('cacp/contract/propose', { projectId, ...PROPOSAL })).rejects.toMatchObject({
    kind: 'unauthorized',
  })
})

test('a person may do what the operator may, as the agent of the daemon', async () => {
  await using desk = await openDesk()
  const { projectId } = await openFeature(desk)
  const { call } = await personAt(desk)
  expect(await call('cacp/project/get', { projectId })).toMatchObject({
    repos: [{ name: 'backend-api' }, { agent_id: FRONTEND }],
  })
})
