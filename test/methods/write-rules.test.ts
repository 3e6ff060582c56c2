import { describe, expect, test } from 'vitest'
import { BACKEND, type Desk, FRONTEND, OUTSIDER, openDesk, openFeature } from '../support/desk/desk.ts'

/** The agent of another daemon, which was let in and holds the repo of its project. */
const MOBILE = 'aid://example.com/mobile@1.0.0'
const asMobile = { caller: { kind: 'peer' as const, agentId: MOBILE, repoName: 'mobile-app' } }
/** The operator here, who names the agent of another daemon. */
const inItsName = { caller: { agentId: MOBILE, repoName: null } }

/** A project in which a peer holds a repo, has proposed a contract and shared a packet. */
async function withPeer(desk: Desk) {
  const feature = await openFeature(desk)
  const { projectId, backend } = feature
  await backend('cacp/project/addRepo', { projectId, name: 'mobile-app', role: 'mobile', language: 'kotlin' })
  await desk.send('cacp/project/join', { projectId, agentEndpoint: 'http://192.0.2.7:8080' }, asMobile)
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'C',
    content: { v: 1 },
  })
  const question = { projectId, question: 'which?' }
  const asked = (await desk.send('cacp/context/askQuestion', question, asMobile)) as { packetId: string }
  return { ...feature, contractId, packetId: asked.packetId }
}

describe('what a repo says in a project', () => {
  test('is for its own agent to write: the operator of another daemon cannot act in its name', async () => {
    await using desk = await openDesk()
    const { projectId, contractId, frontend } = await withPeer(desk)
    const refused = { kind: 'forbidden', message: `${MOBILE} works with another daemon, and acts only there` }
    const target = { projectId, contractId }
    const attempts: [string, object][] = [
      ['cacp/contract/respond', { ...target, action: 'agree' }],
      ['cacp/contract/update', { ...target, content: { v: 2 } }],
      ['cacp/contract/propose', { projectId, type: 'custom', name: 'D', content: {} }],
      ['cacp/context/askQuestion', { projectId, question: 'forged?' }],
    ]
    for (const [method, params] of attempts)
      await expect(desk.send(method, params, inItsName), method).rejects.toMatchObject(refused)
    await desk.send('cacp/contract/respond', { ...target, action: 'agree' }, asMobile)
    await frontend('cacp/contract/respond', { ...target, action: 'agree' })
    const started = { ...target, plan: 'forged' }
    await expect(desk.send('cacp/implementation/start', started, inItsName)).rejects.toMatchObject(refused)
    await expect(desk.send('cacp/implementation/start', started, asMobile)).resolves.toMatchObject({
      status: 'started',
    })
  })

  test('its claim is released by its agent, not by the operator of another daemon', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withPeer(desk)
    const named = { projectId, repoName: 'mobile-app' }
    await expect(backend('cacp/repo/release', named)).rejects.toMatchObject({
      kind: 'conflict',
      next: expect.stringContaining('invite --replace'),
    })
    await expect(desk.send('cacp/repo/release', named, inItsName)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(
      desk.send('cacp/repo/release', { projectId, repoName: 'backend-api' }, asMobile),
    ).rejects.toMatchObject({ kind: 'conflict' })
    await expect(desk.send('cacp/repo/release', named, asMobile)).resolves.toMatchObject({
      status: 'released',
    })
  })

  test('its packets are taken back by their author, not by a peer and not by another operator', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend, packetId } = await withPeer(desk)
    const theirs = { projectId, packetId }
    await expect(backend('cacp/context/redact', theirs)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(desk.send('cacp/context/redact', theirs, inItsName)).rejects.toMatchObject({
      kind: 'conflict',
    })
    const ours = await frontend('cacp/context/askQuestion', { projectId, question: 'ours' })
    const own = { projectId, packetId: ours.packetId }
    await expect(desk.send('cacp/context/redact', own, asMobile)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(backend('cacp/context/redact', own)).resolves.toMatchObject({ status: 'redacted' })
    await expect(desk.send('cacp/context/redact', theirs, asMobile)).resolves.toMatchObject({
      status: 'redacted',
    })
  })

  test('a repo is not claimed in the name of an agent that another daemon speaks for', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await withPeer(desk)
    const other = await backend('cacp/project/create', {
      name: 'Other',
      objective: 'o',
      repos: [{ name: 'x' }],
    })
    for (const project of [projectId, other.projectId])
      await expect(
        desk.send('cacp/project/join', { projectId: project, repoName: 'x' }, inItsName),
      ).rejects.toMatchObject({ kind: project === projectId ? 'not_found' : 'forbidden' })
  })
})

describe('an agent of another folder that shares this daemon', () => {
  test('acts as its repo, and the operator may release that and take its packets back', async () => {
    await using desk = await openDesk()
    const { projectId, backend, frontend } = await openFeature(desk)
    const { packetId } = await frontend('cacp/context/askQuestion', { projectId, question: 'mine' })
    await expect(backend('cacp/context/redact', { projectId, packetId })).resolves.toMatchObject({
      status: 'redacted',
    })
    await backend('cacp/repo/release', { projectId, repoName: 'frontend-app' })
    await desk.as(OUTSIDER)('cacp/project/join', { projectId, repoName: 'frontend-app' })
    const { repos } = await backend('cacp/project/get', { projectId })
    expect(repos.find(({ name }) => name === 'frontend-app')).toMatchObject({ assigned_agent: OUTSIDER })
  })

  test('is told to join first, like everybody', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    await expect(
      desk.as(OUTSIDER)('cacp/context/askQuestion', { projectId, question: 'may I?' }),
    ).rejects.toMatchObject({ kind: 'not_member' })
  })
})

test('a caller without a key, at an open daemon, releases no repo but that of the agent it names', async () => {
  await using desk = await openDesk()
  const { projectId } = await withPeer(desk)
  for (const agentId of [BACKEND, FRONTEND]) {
    const caller = { kind: 'open' as const, agentId, repoName: null }
    await expect(
      desk.send('cacp/repo/release', { projectId, repoName: 'mobile-app' }, { caller }),
    ).rejects.toMatchObject({ kind: 'conflict' })
  }
})
