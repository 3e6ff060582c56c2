import { useMemo } from 'preact/hooks'
import { following } from '../../router/link.tsx'
import type { Destination } from '../../router/route.ts'
import { addressOf } from '../../router/router.ts'
import { figure } from '../../text/figures.ts'
import type { Drawn, DrawnGraph } from './groups.ts'
import { fitted, headOfNode, labelOfNode, labelOfPair, noteOfNode } from './labels.ts'
import { layOut } from './layout.ts'
import type { MapRepo } from './map-data.ts'
import { type Measures, NARROW, WIDE } from './measures.ts'
import type { RepoPair } from './pairs.ts'
import { COLUMNS } from './roles.ts'
import type { Route } from './routes.ts'
import { thickness, total, worstOf } from './state.ts'

interface PictureProps {
  readonly drawn: DrawnGraph<MapRepo>
  readonly isNarrow: boolean
  /** The pair or node whose details are shown. */
  readonly chosen: string | undefined
  toNode(node: Drawn<MapRepo>): Destination
  toPair(pair: RepoPair): Destination
}

const FEW_LINES = 25

/** The map as a picture. The table below it has the same, with the same links. */
export function Picture({ drawn, isNarrow, chosen, toNode, toPair }: PictureProps) {
  const measures = isNarrow ? NARROW : WIDE
  // Counts change often, and move nothing: only another structure is laid out again.
  const structure = JSON.stringify([
    drawn.nodes.map(({ id, column }) => [id, column]),
    drawn.edges.map(({ id }) => id),
    isNarrow,
  ])
  const layout = useMemo(() => layOut(drawn.nodes, drawn.edges, measures), [structure])
  const nodes = new Map(drawn.nodes.map((node) => [node.id, node]))
  const { width, height } = layout
  // Where there are many lines, only numbers that say more than the line itself.
  const areFew = drawn.edges.length <= FEW_LINES
  return (
    <svg
      class={chosen === undefined ? 'map' : 'map has-chosen'}
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width}px`, maxWidth: `max(100%, ${Math.round(width * 0.9)}px)` }}
      role="group"
      aria-label="Map of repositories"
    >
      {layout.columns.map(({ number, x }) => (
        <text key={number} class="map-heading" x={x + measures.nodeWidth / 2} y={measures.margin + 10}>
          {COLUMNS[number]}
        </text>
      ))}
      {drawn.edges.map((pair) => {
        const route = layout.edges.get(pair.id)
        if (route === undefined) return null
        return (
          <Line
            key={pair.id}
            pair={pair}
            route={route}
            label={labelOfPair(pair, (id) => nodes.get(id))}
            to={toPair(pair)}
            isChosen={chosen === pair.id}
            isNear={chosen === pair.a || chosen === pair.b}
            hasNumber={areFew || total(pair.standing) > 1 || pair.standing.conflicts > 0}
          />
        )
      })}
      {drawn.nodes.map((node) => {
        const corner = layout.nodes.get(node.id)
        if (corner === undefined) return null
        return (
          <Box
            key={node.id}
            node={node}
            at={[corner.x, corner.y]}
            measures={measures}
            to={toNode(node)}
            isChosen={chosen === node.id}
          />
        )
      })}
    </svg>
  )
}

interface LineProps {
  readonly pair: RepoPair
  readonly route: Route
  readonly label: string
  readonly to: Destination
  readonly isChosen: boolean
  /** Whether it leads to the repository that is chosen. */
  readonly isNear: boolean
  readonly hasNumber: boolean
}

function Line({ pair, route, label, to, isChosen, isNear, hasNumber }: LineProps) {
  const count = total(pair.standing)
  const worst = worstOf(pair.standing)
  const text = `${figure(count)}${worst === 'conflict' ? ' !' : ''}`
  const half = 7 + text.length * 3.6
  return (
    <a
      class={`map-line ${worst} ${isNear || isChosen ? 'near' : ''}`}
      href={addressOf(to)}
      onClick={following(to, true)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <title>{label}</title>
      <path class="map-reach" d={route.path} />
      <path class="map-stroke" d={route.path} stroke-width={thickness(count)} />
      {hasNumber && (
        <>
          <rect x={route.label.x - half} y={route.label.y - 10} width={half * 2} height={20} rx={10} />
          <text x={route.label.x} y={route.label.y + 4}>
            {text}
          </text>
        </>
      )}
    </a>
  )
}

interface BoxProps {
  readonly node: Drawn<MapRepo>
  readonly at: readonly [number, number]
  readonly measures: Measures
  readonly to: Destination
  readonly isChosen: boolean
}

function Box({ node, at: [x, y], measures: { nodeWidth, nodeHeight }, to, isChosen }: BoxProps) {
  const label = labelOfNode(node)
  const isOwn = node.is === 'repo' && node.repo.isOwn
  return (
    <a
      class={`map-box ${node.is} ${isOwn ? 'own' : ''}`}
      href={addressOf(to)}
      onClick={following(to, true)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <title>{label}</title>
      {node.is === 'group' && (
        <rect class="map-behind" x={x + 5} y={y + 5} width={nodeWidth} height={nodeHeight} rx={8} />
      )}
      <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={8} />
      <text class="map-name" x={x + nodeWidth / 2} y={y + 20}>
        {fitted(headOfNode(node), nodeWidth - 16, 7.6)}
      </text>
      <text class="map-note" x={x + nodeWidth / 2} y={y + 37}>
        {fitted(noteOfNode(node), nodeWidth - 16, 6.6)}
      </text>
    </a>
  )
}
