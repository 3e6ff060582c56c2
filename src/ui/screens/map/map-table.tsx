import { Part } from '../../frame/part.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Link } from '../../router/link.tsx'
import type { Destination } from '../../router/route.ts'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import type { Drawn, DrawnGraph } from './groups.ts'
import { labelOfPair, nameOfNode, noteOfNode } from './labels.ts'
import type { MapRepo } from './map-data.ts'
import { type RepoPair, worstFirst } from './pairs.ts'
import { COLUMNS } from './roles.ts'
import { describeStatuses, total } from './state.ts'

interface MapTableProps {
  readonly drawn: DrawnGraph<MapRepo>
  toNode(node: Drawn<MapRepo>): Destination
  toPair(pair: RepoPair): Destination
}

const idOf = ({ id }: { readonly id: string }): string => id

/** The map as tables: what the picture shows, with the same links. */
export function MapTable({ drawn, toNode, toPair }: MapTableProps) {
  const nodes = new Map(drawn.nodes.map((node) => [node.id, node]))
  const nameOf = (id: string) => {
    const node = nodes.get(id)
    return node && <NodeName node={node} />
  }
  const pairs: readonly Column<RepoPair>[] = [
    { name: 'Between', cell: ({ a }) => nameOf(a) },
    { name: 'And', cell: ({ b }) => nameOf(b) },
    {
      name: 'Contracts',
      isNumber: true,
      cell: (pair) => (
        <Link to={toPair(pair)} isSamePage aria-label={labelOfPair(pair, (id) => nodes.get(id))}>
          {figure(total(pair.standing))}
        </Link>
      ),
    },
    { name: 'How they stand', cell: ({ standing }) => describeStatuses(standing) },
    { name: 'Changed', cell: ({ newest }) => <Ago at={newest} /> },
  ]
  const repos: readonly Column<Drawn<MapRepo>>[] = [
    {
      name: 'Repository',
      cell: (node) => (
        <Link to={toNode(node)} isSamePage>
          <NodeName node={node} />
        </Link>
      ),
    },
    {
      name: 'Role',
      cell: (node) => (node.is === 'repo' ? <Foreign text={node.repo.role} /> : COLUMNS[node.column]),
    },
    { name: 'How it is', cell: (node) => (node.is === 'repo' ? noteOfNode(node) : 'a group') },
    {
      name: 'Agent',
      cell: (node) =>
        node.is === 'repo' && node.repo.agentId !== null && <Foreign text={node.repo.agentId} />,
    },
  ]
  return (
    <Part title="The same as a table" id="map-table">
      <Table
        caption="Pairs of repositories, the worst first"
        columns={pairs}
        rows={worstFirst(drawn.edges)}
        keyOf={idOf}
      />
      <Table caption="Repositories" columns={repos} rows={drawn.nodes} keyOf={idOf} />
    </Part>
  )
}

function NodeName({ node }: { readonly node: Drawn<MapRepo> }) {
  return node.is === 'repo' ? <Quoted text={node.repo.name} /> : nameOfNode(node)
}
