import { expect, test } from 'vitest'
import { fitted, labelOfNode, labelOfPair, noteOfRepo } from '../../../../src/ui/screens/map/labels.ts'
import { graphOf, type MapAnswer } from '../../../../src/ui/screens/map/map-data.ts'

const AT = '2026-11-16T09:00:00.000000Z'
const LATER = '2026-11-16T10:00:00.000000Z'
const NONE = { proposed: 0, negotiating: 0, agreed: 0, implemented: 0, verified: 0 }

type Node = MapAnswer['nodes'][number]
const node = (repoId: string, more: Partial<Node> = {}): Node => ({
  repoId,
  projectId: 'p1',
  name: repoId,
  role: 'backend',
  agentId: null,
  isOwn: false,
  trust: null,
  health: null,
  behind: null,
  ...more,
})
const edge = (a: string, b: string, agreed: number, newest = AT): MapAnswer['edges'][number] => ({
  projectId: 'p1',
  a,
  b,
  byStatus: { ...NONE, agreed },
  conflicts: 0,
  worst: 'agreed',
  newest,
})

test('a repository that is in two projects is one on the map, with the contracts of both', () => {
  const { nodes, edges } = graphOf({
    nodes: [
      node('r1', { agentId: 'agent 1', name: 'backend-api' }),
      node('r2', { agentId: 'agent 2', name: 'frontend-app' }),
      node('q1', { agentId: 'agent 1', name: 'backend-api', projectId: 'p2' }),
      node('q2', { agentId: 'agent 2', name: 'frontend-app', projectId: 'p2' }),
    ],
    edges: [edge('r1', 'r2', 2), edge('q2', 'q1', 3, LATER)],
  })
  expect(nodes.map(({ id }) => id)).toEqual(['agent 1', 'agent 2'])
  expect(edges).toEqual([
    {
      id: '["agent 1","agent 2"]',
      a: 'agent 1',
      b: 'agent 2',
      standing: { byStatus: { ...NONE, agreed: 5 }, conflicts: 0 },
      newest: LATER,
    },
  ])
})

test('repositories without an agent stay apart, also of one name', () => {
  const { nodes } = graphOf({
    nodes: [node('r1', { name: 'docs' }), node('q1', { name: 'docs', projectId: 'p2' })],
    edges: [],
  })
  expect(nodes.map(({ id }) => id)).toEqual(['r1', 'q1'])
})

test('what is drawn says in words what it is', () => {
  const notes = [
    { isOwn: true },
    {},
    { agentId: 'a' },
    { agentId: 'a', trust: 'pending' },
    { agentId: 'a', trust: 'approved', health: 'healthy', behind: 0 },
    { agentId: 'a', trust: 'approved', health: 'failing', behind: 1200 },
  ] as const satisfies Partial<Node>[]
  expect(notes.map((more) => noteOfRepo({ ...node('r1', more), id: 'r1' }))).toEqual([
    'this repository',
    'no agent yet',
    'not a peer here',
    'pending',
    'healthy',
    'failing, 1,200 behind',
  ])
  const repo = {
    is: 'repo',
    id: 'r1',
    column: 1,
    of: undefined,
    repo: { ...node('r\u202e1'), id: 'r1' },
  } as const
  const group = { is: 'group', id: 'g', projectId: 'p1', column: 3, members: 38, isRest: false } as const
  expect(labelOfNode(repo)).toBe('«r[U+202E]1», no agent yet')
  expect(labelOfNode(group)).toBe('Frontend: 38 repositories, open the group')
  const [pair] = graphOf({ nodes: [node('g'), node('r1')], edges: [edge('g', 'r1', 1)] }).edges
  expect(pair && labelOfPair(pair, (id) => (id === 'g' ? group : repo))).toBe(
    'Frontend: 38 repositories and «r[U+202E]1», 1 contract: 1 agreed',
  )
})

test('a name that is too long for its box is cut, and stays a quotation', () => {
  expect(fitted('«backend-api»', 160, 8)).toBe('«backend-api»')
  expect(fitted('«a-repository-with-a-long-name»', 80, 8)).toBe('«a-repos…»')
  expect(fitted('failing, 1,200 behind', 80, 8)).toBe('failing, …')
})
