import { expect, test } from 'vitest'
import { type CallAs, openDesk, openFeature } from '../../support/desk/desk.ts'
import { forkContract } from '../../support/desk/forked-contract.ts'

const NONE = { proposed: 0, negotiating: 0, agreed: 0, implemented: 0, verified: 0 }

/** The map with the names of repos in place of their ids. */
async function mapOf(call: CallAs, params = {}) {
  const { nodes, edges } = await call('cacp/project/map', params)
  const nameOf = new Map(nodes.map(({ repoId, name }) => [repoId, name]))
  return {
    nodes,
    edges: edges.map(({ a, b, byStatus, conflicts, worst }) => ({
      pair: [nameOf.get(a), nameOf.get(b)].sort().join(' '),
      counts: { ...byStatus, conflicts },
      worst,
    })),
  }
}

test('repos are joined by their contracts, with how those stand and the worst of it', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  await backend('cacp/project/addRepo', { projectId, name: 'mobile-app', role: 'mobile' })
  expect((await mapOf(backend)).edges).toEqual([])
  const propose = async (name: string, ...parties: string[]) => {
    const contract = { projectId, type: 'custom' as const, name, content: {}, parties }
    return (await backend('cacp/contract/propose', contract)).contractId
  }
  const agreed = await propose('a', 'backend-api', 'frontend-app')
  await frontend('cacp/contract/respond', { projectId, contractId: agreed, action: 'agree' })
  const forked = await propose('b', 'backend-api', 'frontend-app')
  await propose('c', 'backend-api', 'frontend-app', 'mobile-app')
  expect((await mapOf(backend)).edges).toEqual([
    {
      pair: 'backend-api frontend-app',
      counts: { ...NONE, proposed: 2, agreed: 1, conflicts: 0 },
      worst: 'proposed',
    },
    { pair: 'backend-api mobile-app', counts: { ...NONE, proposed: 1, conflicts: 0 }, worst: 'proposed' },
  ])

  await backend('cacp/contract/update', { projectId, contractId: forked, content: { v: 2 } })
  await forkContract(desk, { projectId, contractId: forked, repoName: 'frontend-app', content: { v: 3 } })
  const { edges, nodes } = await mapOf(backend, { projectId })
  expect(edges[0]).toMatchObject({ counts: { conflicts: 1 }, worst: 'conflict' })
  expect(nodes).toMatchObject([
    { name: 'backend-api', role: 'backend', projectId, isOwn: true, trust: null, health: null, behind: null },
    { name: 'frontend-app', isOwn: false },
    { name: 'mobile-app', role: 'mobile', agentId: null },
  ])
})

test('what was taken back or has ended joins nobody any more', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const contract = { projectId, type: 'custom' as const, name: 'a', content: {} }
  const { contractId } = await backend('cacp/contract/propose', contract)
  expect((await mapOf(backend)).edges).toHaveLength(1)
  await backend('cacp/contract/withdraw', { projectId, contractId })
  expect((await mapOf(backend)).edges).toEqual([])
  const other = (await backend('cacp/contract/propose', { ...contract, name: 'b' })).contractId
  await frontend('cacp/contract/respond', { projectId, contractId: other, action: 'agree' })
  await backend('cacp/contract/update', { projectId, contractId: other, retire: true })
  expect((await mapOf(backend)).edges).toHaveLength(1)
  await frontend('cacp/contract/respond', { projectId, contractId: other, action: 'agree' })
  expect((await mapOf(backend)).edges).toEqual([])
})

test('all projects are there but those that are archived, and whom they are hidden from', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const create = async (name: string, visibility: 'all' | 'members') =>
    (await backend('cacp/project/create', { name, objective: '', visibility })).projectId
  const [hidden, gone] = [await create('Hidden', 'members'), await create('Gone', 'all')]
  await backend('cacp/project/archive', { projectId: gone })
  const projectsIn = ({ nodes }: { nodes: { projectId: string }[] }) => [
    ...new Set(nodes.map((node) => node.projectId)),
  ]
  expect(projectsIn(await backend('cacp/project/map', {}))).toEqual([projectId, hidden])
  expect(projectsIn(await backend('cacp/project/map', { projectId: gone }))).toEqual([gone])
  const caller = { kind: 'known' as const, agentId: 'aid://example.com/x@1.0.0', repoName: null }
  const seen = (await desk.send('cacp/project/map', {}, { caller })) as { nodes: { projectId: string }[] }
  expect(projectsIn(seen)).toEqual([projectId])
})
