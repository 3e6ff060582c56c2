import { useCall } from '../../call/use-call.ts'
import { Segments } from '../../form/segments.tsx'
import { Answer, Empty } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { Link } from '../../router/link.tsx'
import type { Destination, Route, ScreenProps } from '../../router/route.ts'
import { figure } from '../../text/figures.ts'
import { Quoted } from '../../text/foreign.tsx'
import { Chosen } from './chosen.tsx'
import { REACHES, type Reach, usualReach, within } from './graph.ts'
import { type Drawn, drawnOf } from './groups.ts'
import { Legend } from './legend.tsx'
import { graphOf, type MapAnswer, type MapRepo } from './map-data.ts'
import { MapTable } from './map-table.tsx'
import { isNarrow } from './narrow.ts'
import type { RepoPair } from './pairs.ts'
import { Picture } from './picture.tsx'

const REACH_WORDS: Readonly<Record<Reach, string>> = { 1: '1 step', 2: '2 steps', all: 'All' }

/** Who agreed with whom, and where it stalls. */
export function MapScreen({ route }: ScreenProps) {
  const { query } = route
  const inProject = query['project'] === undefined ? {} : { projectId: query['project'] }
  const map = useCall('cacp/project/map', inProject, {
    kinds: ['project', 'repo', 'contract'],
    local: ['peers'],
  })
  usePageTitle('Map')
  return (
    <div class="screen wide">
      <Answer
        of={map}
        empty={({ nodes }) =>
          nodes.length === 0 && (
            <>
              <h1>Map</h1>
              <Empty title="No project has a repository yet">
                <p>
                  Create a project with <code>cacpd project create NAME</code>, and invite others with{' '}
                  <code>cacpd invite</code>.
                </p>
              </Empty>
            </>
          )
        }
      >
        {(answer) => <ReadMap answer={answer} route={route} />}
      </Answer>
    </div>
  )
}

function ReadMap({ answer, route }: { readonly answer: MapAnswer; readonly route: Route }) {
  const { query } = route
  const graph = graphOf(answer)
  const own = graph.nodes.filter(({ isOwn }) => isOwn)
  const centres = own.map(({ id }) => id)
  const reach = REACHES.find((one) => one === query['reach']) ?? usualReach(graph, centres)
  const scope = within(graph, centres, reach)
  const opened = new Set(query['open']?.split(',') ?? [])
  const drawn = drawnOf(scope, opened)
  const links = linksOf(query, opened)
  return (
    <>
      <header class="screen-heading">
        <h1>Map</h1>
        {own.length > 0 && (
          <Segments
            label="How far to look"
            choices={REACHES.map((one) => [REACH_WORDS[one], one === reach, { reach: one }])}
          />
        )}
      </header>
      <p class="quiet">
        {figure(scope.nodes.length)} of {figure(graph.nodes.length)} repositories
        {reach !== 'all' && own[0] !== undefined && (
          <>
            , at most {REACH_WORDS[reach]} from <Quoted text={own[0].name} />
          </>
        )}
        .{' '}
        {answer.truncated === true && 'There are more than one answer holds: these have the most contracts. '}
        <a href="#map-table">Skip to the table</a>
      </p>
      {opened.size > 0 && (
        <p>
          <Link to={links.closed} isSamePage>
            Close the groups that are open
          </Link>
        </p>
      )}
      <div class={query['pair'] === undefined && query['repo'] === undefined ? '' : 'map-and-details'}>
        <figure class="map-scroll">
          <Picture
            drawn={drawn}
            isNarrow={isNarrow.value}
            chosen={query['pair'] ?? query['repo']}
            toNode={links.toNode}
            toPair={links.toPair}
          />
          <figcaption>
            Choose a line to see its contracts, or a repository to see how it is.
            <Legend />
          </figcaption>
        </figure>
        <Chosen
          graph={graph}
          drawn={drawn}
          pair={query['pair']}
          repo={query['repo']}
          toPair={links.toPair}
          toRepo={links.toRepo}
          none={links.none}
        />
      </div>
      <MapTable drawn={drawn} toNode={links.toNode} toPair={links.toPair} />
    </>
  )
}

/** Where a click leads: what is chosen and opened is in the address. */
function linksOf(query: Route['query'], opened: ReadonlySet<string>) {
  const to = (change: Readonly<Record<string, string | undefined>>): Destination => ({
    screen: 'map',
    query: { ...query, ...change },
  })
  const toRepo = (id: string) => to({ repo: id, pair: undefined })
  return {
    toPair: ({ id }: RepoPair) => to({ pair: id, repo: undefined }),
    toRepo,
    toNode: (node: Drawn<MapRepo>) =>
      node.is === 'group' && !node.isRest ? to({ open: [...opened, node.id].join(',') }) : toRepo(node.id),
    none: to({ pair: undefined, repo: undefined }),
    closed: to({ open: undefined }),
  }
}
