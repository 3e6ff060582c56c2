import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import { connect, RULES, start } from './plain-story.ts'

const NO_KEY = { authorization: '' }

const register = async (at: TestDaemon, body: object) => {
  const { json } = await at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...NO_KEY },
    body: JSON.stringify(body),
  })
  return json
}
const peersOf = async (at: TestDaemon) =>
  (await at.fetch('/peers')).json.peers.map(
    ({ agentId, repoName, health }: { [key: string]: string }) => `${agentId} ${repoName} ${health}`,
  )

describe('an agent with a name of its own making (CACP-32)', () => {
  test('registers without a repository, which its card then tells', async () => {
    await using here = await start()
    await using plain = await servePlainPeer({ repoName: 'frontend-app' })
    expect(await register(here, { agentId: 'agent-frontend-app', endpoint: plain.url })).toEqual({
      status: 'registered',
      peerCount: 1,
    })
    await expect.poll(() => peersOf(here)).toEqual(['agent-frontend-app frontend-app healthy'])
    await register(here, { agentId: 'agent-frontend-app', endpoint: plain.url })
    expect((await peersOf(here))[0]).toMatch(/^agent-frontend-app frontend-app/)
    expect(await here.rpc('cacp/peer/remove', { agentId: 'agent-frontend-app' })).toMatchObject({
      status: 'removed',
    })
  })

  test('is kept waiting at a daemon that is not open, and can be approved by that name', async () => {
    await using here = await daemon({}, { rules: RULES })
    await using plain = await servePlainPeer({ repoName: 'frontend-app' })
    expect(await register(here, { agentId: 'agent-frontend-app', endpoint: plain.url })).toMatchObject({
      status: 'pending',
    })
    expect(plain.requests).toEqual([])
    await here.rpc('cacp/peer/approve', { agentId: 'agent-frontend-app' })
    await expect.poll(() => peersOf(here)).toEqual(['agent-frontend-app frontend-app healthy'])
  })

  test('that is a cacpd is known by the name on its card, however it was registered', async () => {
    await using here = await start()
    const agentId = 'aid://example.com/frontend@1.0.0'
    await using there = await start({ repo: 'frontend-app', agentId })
    await register(here, { agentId: 'agent-frontend-app', endpoint: there.url })
    await expect.poll(() => peersOf(here)).toEqual([`${agentId} frontend-app healthy`])
    await register(here, { agentId: 'agent-frontend-app', endpoint: there.url })
    await expect.poll(() => peersOf(here)).toEqual([`${agentId} frontend-app healthy`])
    await register(here, { agentId: 'agent-backend-api', endpoint: here.url })
    await expect.poll(() => peersOf(here)).toEqual([`${agentId} frontend-app healthy`])
  })

  test('is not let in where another agent answers under a full agent ID, or one that was shut out', async () => {
    await using here = await start()
    await using there = await start({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
    const other = { agentId: 'aid://example.com/other@1.0.0', endpoint: there.url }
    await register(here, other)
    await expect.poll(async () => (await peersOf(here))[0]).toMatch(/other@1.0.0 .*(?:failing|paused)/)
    await here.rpc('cacp/peer/remove', { agentId: other.agentId })
    await connect(here, there)
    await here.rpc('cacp/peer/revoke', { agentId: 'aid://example.com/frontend@1.0.0' })
    await register(here, { agentId: 'agent-x', endpoint: there.url })
    await expect
      .poll(async () => (await peersOf(here)).join())
      .toMatch(/revoked,agent-x {2}(?:failing|paused)$/)
  })

  test('acts as the daemon until it joins as another repo, and from then on as itself', async () => {
    await using here = await start()
    const asCodex = { ...NO_KEY, 'x-agent-id': 'codex' }
    const { projectId } = await here.rpc(
      'cacp/project/create',
      { name: 'Auth', objective: 'o', repos: [{ name: 'backend-api' }, { name: 'frontend-app' }] },
      asCodex,
    )
    const own = 'aid://example.com/backend@1.0.0'
    const holders = async () =>
      (await here.rpc('cacp/project/get', { projectId })).repos.map(
        ({ agent_id }: { agent_id: string }) => agent_id,
      )
    expect(await holders()).toEqual([own, null])
    await here.rpc('cacp/project/join', { projectId, repoName: 'backend-api' }, asCodex)
    expect(await holders()).toEqual([own, null])
    await here.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, asCodex)
    expect(await holders()).toEqual([own, 'codex'])
    const { packetId } = await here.rpc('cacp/context/askQuestion', { projectId, question: '?' }, asCodex)
    const { thread } = await here.rpc('cacp/context/getThread', { projectId, packetId })
    expect(thread).toMatchObject([{ from_agent: 'codex' }])
  })

  test('hands over state under that name before anybody knows it', async () => {
    await using here = await start()
    await using plain = await servePlainPeer({ repoName: 'frontend-app' })
    const own = { agentId: 'aid://example.com/backend@1.0.0', endpoint: here.url }
    await plain.peer.handleHttp('POST', '/peers/register', own)
    const repos = [{ name: 'frontend-app', role: 'frontend', language: 'typescript' }]
    const { projectId } = await plain.peer.call('cacp/project/create', { name: 'P', objective: 'o', repos })
    expect((await here.rpc('cacp/project/get', { projectId })).repos).toMatchObject([
      { name: 'frontend-app', assigned_agent: 'agent-frontend-app' },
    ])
  })
})
