import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { agentAt, ERAS } from '../support/daemons/mcp.ts'

const BOUND = { timeout: 10_000 }

/** One place to wait, so that whoever still waits is noticed by the next one. */
let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon({ mcpProgressSeconds: 1, waitsAtOnce: 1 })
})
afterAll(() => backend[Symbol.asyncDispose]())

async function proposed(at: TestDaemon) {
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  const { projectId } = await at.rpc('cacp/project/create', { name: 'n', objective: 'o', repos })
  const proposal = { projectId, type: 'custom', name: 'C', content: { v: 1 } }
  const { contractId } = await at.rpc('cacp/contract/propose', proposal)
  return { projectId, contractId }
}

const isTaken = async (at: TestDaemon, target: object): Promise<boolean> => {
  const until = { contract: { ...target, statusAtLeast: 'verified' } }
  const waited = at.rpc('cacp/wait', { until, timeoutSeconds: 1 })
  return waited.then(
    () => false,
    () => true,
  )
}

describe.each(ERAS)('a client of %s that waits at /mcp', (era) => {
  test('hears of progress, and gets an answer when the time is over: not met, where it stands, how to go on', async () => {
    await using agent = await agentAt(backend, era)
    const until = { contract: { ...(await proposed(backend)), statusAtLeast: 'agreed' } }
    const heard: string[] = []
    const { content } = await agent.client.callTool(
      { name: 'wait', arguments: { until, timeoutSeconds: 2 } },
      { onprogress: ({ message = '' }) => void heard.push(message) },
    )
    expect(heard[0]).toMatch(/^still at it after \d s$/)
    const text = expect.stringMatching(
      /^not met yet.*\nnow: \[\{.*"waitsFor":\[.*\ncursor: \S+\.\d+\nnext: wait \{"until":\{"contract":/,
    )
    expect(content).toEqual([{ type: 'text', text }])
  })

  test('gets an answer as soon as it is so, and at once when it is so already', async () => {
    await using agent = await agentAt(backend, era)
    const target = await proposed(backend)
    const waiting = agent.use('wait', { until: { contract: { ...target, versionAbove: 1 } } })
    await backend.rpc('cacp/contract/update', { ...target, content: { v: 2 } })
    expect(await waiting).toMatch(
      /^met: \{"contract":.*\nnow: .*"version":2.*\ncursor: \S+\nnext: project \{"projectId":"[^"]+","contractId":"[^"]+"\}$/,
    )
    const any = [{ inbox: {} }, { contract: { ...target, statusAtLeast: 'proposed' } }]
    expect(await agent.use('wait', { until: { any } })).toMatch(/^met: .*"statusAtLeast":"proposed"/)
  })

  test('frees its place when it gives up', async () => {
    await using agent = await agentAt(backend, era)
    const target = await proposed(backend)
    const stop = new AbortController()
    const until = { contract: { ...target, statusAtLeast: 'agreed' } }
    const waiting = agent.client
      .callTool({ name: 'wait', arguments: { until } }, { signal: stop.signal })
      .catch(() => 'given up')
    // Once this is answered the other one, sent before it, waits.
    await agent.use('project')
    expect(await isTaken(backend, target)).toBe(true)
    stop.abort()
    expect(await waiting).toBe('given up')
    await expect.poll(() => isTaken(backend, target), BOUND).toBe(false)
  })

  test('is told of a condition that makes no sense, with one that does', async () => {
    await using agent = await agentAt(backend, era)
    const target = await proposed(backend)
    expect(await agent.fail('wait', { until: { contract: target } })).toMatch(/\nnext: .*statusAtLeast/)
    expect(await agent.fail('wait', { until: { weather: 'fine' } })).toMatch(
      /\nnext: .*"statusAtLeast":"agreed"/,
    )
    expect(await agent.fail('wait', { until: { feed: { since: 'yesterday' } } })).toMatch(/since.*\nnext: /)
    expect(await agent.fail('wait', { timeoutSeconds: 3600 })).toMatch(/^timeoutSeconds: must be at most 600/)
  })

  test('gets its answer when the daemon stops', async () => {
    const stopped = await daemon()
    await using agent = await agentAt(stopped, era)
    const until = { contract: { ...(await proposed(stopped)), statusAtLeast: 'agreed' } }
    const waiting = agent.use('wait', { until })
    await agent.use('project')
    await stopped[Symbol.asyncDispose]()
    expect(await waiting).toMatch(/^not met yet/)
  })
})

test('whoever agrees before others do waits for these as its answer says, also beside a version in force', async () => {
  await using at = await daemon()
  await using agent = await agentAt(at, '2025-11-25')
  const [frontend, mobile] = ['frontend', 'mobile'].map((name) => ({
    'x-agent-id': `aid://example.com/${name}@1.0.0`,
  }))
  const repos = ['backend-api', 'frontend-app', 'mobile-app'].map((name) => ({ name }))
  const { projectId } = await at.rpc('cacp/project/create', { name: 'n', objective: 'o', repos })
  await at.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, frontend)
  await at.rpc('cacp/project/join', { projectId, repoName: 'mobile-app' }, mobile)
  const proposal = { projectId, type: 'custom', name: 'C', content: { v: 1 } }
  const { contractId } = await at.rpc('cacp/contract/propose', proposal, frontend)
  const agree = { projectId, contractId, action: 'agree' }
  for (const version of [1, 2]) {
    const told = await agent.use('contract_respond', agree)
    expect(told).toContain('not answered yet by «mobile-app»')
    const waiting = agent.use('wait', JSON.parse(/^next: wait (.*)$/m.exec(told)?.[1] ?? ''))
    await at.rpc('cacp/contract/respond', agree, mobile)
    expect(await waiting).toMatch(new RegExp(`^met: .*\\nnow: .*"version":${version}`))
    await at.rpc('cacp/contract/update', { projectId, contractId, content: { v: version + 1 } }, frontend)
  }
})
