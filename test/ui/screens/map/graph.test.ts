import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Graph, MOST_NODES, usualReach, within } from '../../../../src/ui/screens/map/graph.ts'
import { drawnOf, type RepoNode } from '../../../../src/ui/screens/map/groups.ts'
import type { RepoPair } from '../../../../src/ui/screens/map/pairs.ts'
import { COLUMNS, columnOf } from '../../../../src/ui/screens/map/roles.ts'
import {
  describeStanding,
  NO_CONTRACTS,
  type Standing,
  thickness,
  total,
  worstOf,
} from '../../../../src/ui/screens/map/state.ts'

const ROLES = ['backend', 'frontend', 'shared', 'infra', 'data science']

function repos(count: number, own = 0): RepoNode[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    name: `repo-${index}`,
    role: ROLES[index % ROLES.length] ?? '',
    projectId: 'p1',
    isOwn: index === own,
  }))
}

const pair = (
  a: number,
  b: number,
  byStatus: Partial<Standing['byStatus']> = { agreed: 1 },
  conflicts = 0,
): RepoPair => ({
  id: `${a}-${b}`,
  a: `r${a}`,
  b: `r${b}`,
  standing: { byStatus: { ...NO_CONTRACTS.byStatus, ...byStatus }, conflicts },
  newest: '2026-11-16T09:00:00.000000Z',
})

const chain = (count: number): Graph<RepoNode, RepoPair> => ({
  nodes: repos(count),
  edges: Array.from({ length: count - 1 }, (_, index) => pair(index, index + 1)),
})

const ids = ({ nodes }: Graph<{ id: string }, RepoPair>): string[] => nodes.map(({ id }) => id)

describe('what one looks at', () => {
  test('is the own repository and what is one or two pairs away from it, with every pair between these', () => {
    const graph = { ...chain(6), edges: [...chain(6).edges, pair(0, 2)] }
    expect(ids(within(graph, ['r0'], '1'))).toEqual(['r0', 'r1', 'r2'])
    expect(within(graph, ['r0'], '1').edges.map(({ id }) => id)).toEqual(['0-1', '1-2', '0-2'])
    expect(ids(within(graph, ['r0'], '2'))).toEqual(['r0', 'r1', 'r2', 'r3'])
    expect(within(graph, ['r0'], 'all')).toBe(graph)
  })

  test('is two steps unless these lead too far, and everything where there is no own repository', () => {
    const star = (leaves: number) => ({
      nodes: repos(leaves + 2),
      edges: [pair(0, 1), ...Array.from({ length: leaves }, (_, index) => pair(1, index + 2))],
    })
    expect(usualReach(chain(5), ['r0'])).toBe('2')
    expect(usualReach(star(MOST_NODES), ['r0'])).toBe('1')
    expect(usualReach(chain(5), [])).toBe('all')
  })
})

describe('more repositories than one can read', () => {
  const many = (count: number): Graph<RepoNode, RepoPair> => ({
    nodes: repos(count),
    edges: [pair(0, 1, { agreed: 2 }), pair(0, 6, { agreed: 1 }, 1), pair(1, 6), pair(2, 3, { verified: 4 })],
  })

  test('become groups by role with counts, and the own one stands for itself', () => {
    const { nodes, edges } = drawnOf(many(100), new Set())
    expect(nodes.filter(({ is }) => is === 'repo').map(({ id }) => id)).toEqual(['r0'])
    const groups = nodes.flatMap((node) => (node.is === 'group' ? [node] : []))
    expect(groups.reduce((sum, { members }) => sum + members, 0)).toBe(99)
    // Both neighbours of the own repository are frontends.
    const frontends = groups.find(({ column }) => column === columnOf('frontend'))
    const between = edges.find(({ a, b }) => [a, b].includes('r0') && [a, b].includes(frontends?.id ?? ''))
    expect(between?.standing).toMatchObject({ byStatus: { agreed: 3 }, conflicts: 1 })
    expect(edges.some(({ a, b }) => a === b)).toBe(false)
  })

  test('are shown again by opening a group, the busiest first, and the rest stays a group', () => {
    const graph = many(400)
    const closed = drawnOf(graph, new Set()).nodes.flatMap((node) => (node.is === 'group' ? [node] : []))
    const frontends = closed.find(({ column }) => column === columnOf('frontend'))
    const { nodes } = drawnOf(graph, new Set([frontends?.id ?? '']))
    const shown = nodes.filter((node) => node.is === 'repo' && node.of === frontends?.id)
    expect(shown).toHaveLength(40)
    expect(shown.slice(0, 2).map(({ id }) => id)).toEqual(['r1', 'r6'])
    const rest = nodes.find((node) => node.is === 'group' && node.isRest)
    expect(rest).toMatchObject({ members: (frontends?.members ?? 0) - 40, column: columnOf('frontend') })
  })

  test('are grouped by project where there are several, but never into more groups than one can read', () => {
    const spreadOver = (projects: number) => ({
      nodes: repos(400).map((repo, index) => ({ ...repo, projectId: `p${index % projects}` })),
      edges: [],
    })
    const count = (projects: number): number => drawnOf(spreadOver(projects), new Set()).nodes.length
    expect(count(3)).toBe(1 + 3 * COLUMNS.length)
    expect(count(100)).toBe(1 + COLUMNS.length)
  })

  test('never lose a contract: what is drawn has them all, but for those within a group', () => {
    const graphs = fc
      .array(fc.tuple(fc.nat(99), fc.nat(99), fc.integer({ min: 1, max: 5 })), { maxLength: 60 })
      .map((pairs) => ({
        nodes: repos(100),
        edges: pairs.filter(([a, b]) => a !== b).map(([a, b, agreed]) => pair(a, b, { agreed })),
      }))
    fc.assert(
      fc.property(graphs, fc.boolean(), (graph, isOpened) => {
        const opened = new Set(isOpened ? COLUMNS.map((_, column) => `group p1 ${column}`) : [])
        const { nodes, edges } = drawnOf(graph, opened)
        const drawn = new Set(nodes.map(({ id }) => id))
        for (const { a, b } of edges) expect(drawn.has(a) && drawn.has(b)).toBe(true)
        const sum = (all: readonly RepoPair[]): number =>
          all.reduce((found, { standing }) => found + total(standing), 0)
        const columns = new Map(graph.nodes.map(({ id, role, isOwn }) => [id, isOwn ? id : columnOf(role)]))
        const within = graph.edges.filter(({ a, b }) => columns.get(a) === columns.get(b))
        // Opened, every group is small enough here to be shown whole.
        expect(sum(edges)).toBe(isOpened ? sum(graph.edges) : sum(graph.edges) - sum(within))
      }),
    )
  })
})

describe('a pair of repositories', () => {
  test('is in the worst state of its contracts, and says how many are in which', () => {
    const standing = { byStatus: { ...NO_CONTRACTS.byStatus, negotiating: 1, agreed: 1_200 }, conflicts: 2 }
    expect(worstOf(standing)).toBe('conflict')
    expect(worstOf({ ...standing, conflicts: 0 })).toBe('negotiating')
    expect(describeStanding(standing)).toBe('1,201 contracts: 2 in conflict; 1 negotiating, 1,200 agreed')
    expect(describeStanding(pair(0, 1).standing)).toBe('1 contract: 1 agreed')
  })

  test('has a thicker line for more contracts, up to a bound', () => {
    const widths = [1, 2, 10, 100, 100_000].map(thickness)
    expect(widths).toEqual([...widths].sort((a, b) => a - b))
    expect(widths.at(-1)).toBe(8)
  })

  test('stands in the columns of its roles, whatever word a role is', () => {
    expect(['backend', 'Frontend ', 'mobile', 'constructor', ''].map(columnOf)).toEqual([1, 3, 3, 2, 2])
  })
})
