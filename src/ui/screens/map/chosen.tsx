import { useEffect, useRef } from 'preact/hooks'
import { Link } from '../../router/link.tsx'
import type { Destination } from '../../router/route.ts'
import { figure } from '../../text/figures.ts'
import { Quoted } from '../../text/foreign.tsx'
import type { Graph } from './graph.ts'
import type { Drawn, DrawnGraph } from './groups.ts'
import { nameOfNode } from './labels.ts'
import type { MapRepo } from './map-data.ts'
import { PairDetails } from './pair-details.tsx'
import { type RepoPair, worstFirst } from './pairs.ts'
import { RepoDetails } from './repo-details.tsx'
import { describeStanding } from './state.ts'

interface ChosenProps {
  readonly graph: Graph<MapRepo, RepoPair>
  readonly drawn: DrawnGraph<MapRepo>
  /** The pair or repository that the address names. */
  readonly pair: string | undefined
  readonly repo: string | undefined
  toPair(pair: RepoPair): Destination
  toRepo(id: string): Destination
  readonly none: Destination
}

const MOST = 40

/** What was clicked on in the map, in full. */
export function Chosen(props: ChosenProps) {
  const { pair, repo, none } = props
  const place = useRef<HTMLElement>(null)
  const chosen = pair ?? repo
  const before = useRef(chosen)
  useEffect(() => {
    // Who chose something goes on there; who comes by an address begins at the top of the page.
    if (chosen !== before.current && chosen !== undefined) place.current?.focus()
    before.current = chosen
  }, [chosen])
  if (chosen === undefined) return null
  return (
    <aside ref={place} class="panel map-details" aria-label="Details" tabIndex={-1}>
      {pair === undefined ? <ChosenNode {...props} /> : <ChosenPair {...props} />}
      <p>
        <Link to={none} isSamePage>
          Close the details
        </Link>
      </p>
    </aside>
  )
}

function ChosenPair({ graph, drawn, pair, toPair }: ChosenProps) {
  const repos = new Map(graph.nodes.map((repo) => [repo.id, repo]))
  const single = graph.edges.find(({ id }) => id === pair)
  const [a, b] = [repos.get(single?.a ?? ''), repos.get(single?.b ?? '')]
  if (single !== undefined && a !== undefined && b !== undefined)
    return <PairDetails pair={single} repos={[a, b]} />
  const merged = drawn.edges.find(({ id }) => id === pair)
  if (merged === undefined) return <p>These two have no contract with each other any more.</p>
  const ends = [merged.a, merged.b].map((id) => drawn.nodes.find((node) => node.id === id))
  const within = worstFirst(
    graph.edges.filter((one) => {
      const [from, to] = [drawn.drawnAs(one.a), drawn.drawnAs(one.b)]
      return (from === merged.a && to === merged.b) || (from === merged.b && to === merged.a)
    }),
  )
  return (
    <>
      <h2>{ends.map((node) => (node === undefined ? '' : nameOfNode(node))).join(' and ')}</h2>
      <p>{describeStanding(merged.standing)}</p>
      <ul class="rows">
        {within.slice(0, MOST).map((one) => (
          <li key={one.id}>
            <Link to={toPair(one)} isSamePage>
              <span>
                <Quoted text={repos.get(one.a)?.name ?? ''} /> and{' '}
                <Quoted text={repos.get(one.b)?.name ?? ''} />: {describeStanding(one.standing)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {within.length > MOST && (
        <p class="quiet">
          The worst {MOST} of {figure(within.length)} pairs.
        </p>
      )}
    </>
  )
}

function ChosenNode({ graph, drawn, repo: id, toRepo }: ChosenProps) {
  const repo = graph.nodes.find((one) => one.id === id)
  if (repo !== undefined) return <RepoDetails repo={repo} />
  const group: Drawn<MapRepo> | undefined = drawn.nodes.find((node) => node.id === id)
  if (group === undefined) return <p>It is not on the map any more.</p>
  const members = graph.nodes.filter((one) => drawn.drawnAs(one.id) === id)
  return (
    <>
      <h2>{nameOfNode(group)}</h2>
      <ul class="rows">
        {members.slice(0, MOST).map((one) => (
          <li key={one.id}>
            <Link to={toRepo(one.id)} isSamePage>
              <Quoted text={one.name} />
            </Link>
          </li>
        ))}
      </ul>
      {members.length > MOST && <p class="quiet">{figure(members.length - MOST)} more.</p>}
    </>
  )
}
