import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { type Agent, agentAt } from '../support/daemons/mcp.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

let backend: TestDaemon
let agent: Agent
let projectId: string
let contractId: string
beforeAll(async () => {
  backend = await daemon()
  agent = await agentAt(backend, '2026-07-28')
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  ;({ projectId } = await backend.rpc('cacp/project/create', { name: 'User login', objective: 'o', repos }))
  await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  const contract = { projectId, type: 'custom', name: 'Get profile', content: { path: '/me' } }
  ;({ contractId } = await backend.rpc('cacp/contract/propose', contract, FRONTEND))
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})

describe('a name where an id is needed', () => {
  test('is looked up by every tool that takes one, and answers tell ids', async () => {
    const where = { projectId: 'User login' }
    const target = { ...where, contractId: 'Get profile' }
    expect(await agent.use('project', where)).toContain(`project ${projectId} «User login»`)
    expect(await agent.use('project', target)).toMatch(new RegExp(`^contract ${contractId} «Get profile»`))
    expect(await agent.use('brief', where)).toContain(contractId)
    expect(await agent.use('inbox', where)).toContain(contractId)
    expect(await agent.use('search', { ...where, query: 'profile' })).toContain(contractId)
    const until = {
      any: [
        { project: { ...where, status: 'complete' } },
        { contract: { ...target, statusAtLeast: 'proposed' } },
      ],
    }
    expect(await agent.use('wait', { until })).toContain(`"contractId":"${contractId}"`)
    expect(await agent.use('contract_respond', { ...target, action: 'agree' })).toContain(
      'next: implementation {"projectId":"User login","contractId":"Get profile","action":"start"}',
    )
    expect(await agent.use('implementation', { ...target, action: 'start' })).toContain(
      'started: contract Get profile',
    )
    const shared = { ...where, type: 'test_case', content: {}, relatedContracts: ['Get profile'] }
    expect(await agent.use('context_share', shared)).toMatch(/^packet \S+ shared/)
    const listed = await agent.use('call', { method: 'cacp/context/list', params: target })
    expect(listed).toContain(`"related_contracts":["${contractId}"]`)
  })

  test('is refused with the candidates where several go by it', async () => {
    const others = await Promise.all(
      [1, 2].map(() => backend.rpc('cacp/project/create', { name: 'Twice', objective: 'o' })),
    )
    const told = await agent.fail('project', { projectId: 'Twice' })
    expect(told).toMatch(
      /^2 projects are called «Twice»: \S+ \(open, .*\), \S+ \(open, .*\)\nnext: Name the one that you mean by its id$/,
    )
    for (const other of others) expect(told).toContain(other.projectId)
    const again = { projectId, type: 'custom', name: 'Get profile', content: {} }
    const { contractId: second } = await backend.rpc('cacp/contract/propose', again, FRONTEND)
    const ambiguous = await agent.fail('project', { projectId, contractId: 'Get profile' })
    expect(ambiguous).toMatch(/^2 contracts are called «Get profile»: /)
    expect(ambiguous).toContain(second)
    // An id is always meant as one.
    expect(await agent.use('project', { projectId, contractId })).toContain(contractId)
  })

  test('that nobody goes by is told as such', async () => {
    expect(await agent.fail('project', { projectId: 'Nobody knows' })).toMatch(
      /^No project Nobody knows here\nnext: /,
    )
    expect(await agent.fail('project', { projectId, contractId: 'Nobody knows' })).toMatch(
      /^No contract Nobody knows in project /,
    )
  })

  test('is never one that looks like an id', async () => {
    const refused = backend.rpc('cacp/project/create', { name: projectId, objective: 'o' })
    await expect(refused).rejects.toThrow(/name: must not look like an ID/)
  })

  test('of a repo may also be its id, where a name is asked for', async () => {
    const { repos } = await backend.rpc('cacp/project/get', { projectId })
    const ids = repos.map((repo: { repo_id: string }) => repo.repo_id)
    const proposal = { projectId: 'User login', type: 'custom', name: 'By id', content: {}, parties: ids }
    expect(await agent.use('contract_propose', proposal)).toMatch(/^contract \S+ v1 proposed/)
  })
})
