import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { type Agent, agentAt } from '../support/daemons/mcp.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

let backend: TestDaemon
let agent: Agent
beforeAll(async () => {
  backend = await daemon()
  agent = await agentAt(backend, '2026-07-28')
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await backend[Symbol.asyncDispose]()
})

/** Calls the tool that the last line of an answer advises, as it stands. */
async function follow(answer: string): Promise<string> {
  const [, tool = '', input = ''] = /^next: (\S+) (\{.*\})$/m.exec(answer) ?? []
  return await agent.use(tool, JSON.parse(input))
}

describe('the next step in the answer of a tool', () => {
  test('is to agree, where the author of a contract is its only party', async () => {
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Alone', objective: 'o' })
    const proposed = await agent.use('contract_propose', {
      projectId,
      type: 'custom',
      name: 'Own',
      content: { path: '/a' },
    })
    expect(proposed).toContain('next: contract_respond {')
    const agreed = await follow(proposed)
    expect(agreed).toMatch(/^agreed: contract \S+ v1 is agreed$/m)
    expect(await follow(agreed)).toMatch(/^started: contract /)

    const updated = await agent.use('contract_update', {
      projectId,
      contractId: 'Own',
      content: { path: '/b' },
    })
    expect(updated).toContain('next: contract_respond {')
    expect(await follow(updated)).toMatch(/^agreed: contract Own v2 is agreed$/m)
  })

  test('is to wait, where another party has to answer', async () => {
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Two', objective: 'o', repos })
    await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
    const proposed = await agent.use('contract_propose', {
      projectId,
      type: 'custom',
      name: 'Shared',
      content: { path: '/a' },
    })
    expect(proposed).toMatch(/^next: wait \{/m)
    const waiting = follow(proposed)
    await backend.rpc('cacp/contract/respond', { projectId, contractId: 'Shared', action: 'agree' }, FRONTEND)
    expect(await waiting).toContain('"status":"agreed"')
  })

  test('is none, where all agreed that a contract ends', async () => {
    const target = { projectId: 'Two', contractId: 'Shared' }
    await backend.rpc('cacp/contract/update', { ...target, retire: true }, FRONTEND)
    const ended = await agent.use('contract_respond', { ...target, action: 'agree' })
    expect(ended).toContain('the contract has ended')
    expect(ended).not.toContain('next:')
  })
})
