import { useEffect } from 'preact/hooks'
import type { ResultOf } from '../../../methods/table.ts'
import { call } from '../../call/call.ts'
import { useCall } from '../../call/use-call.ts'
import { Answer, Empty, Failed } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { usePages } from '../../list/use-pages.ts'
import { useRowKeys } from '../../list/use-row-keys.ts'
import { Link } from '../../router/link.tsx'
import type { ScreenProps } from '../../router/route.ts'
import { now } from '../../text/now.ts'
import { dayName } from '../../text/time.ts'
import { foldTimeline } from './fold.ts'
import { lanesOf } from './lanes.ts'
import { useLooked } from './looked.ts'
import type { Moment } from './moment.ts'
import { ENTITIES_OF, isWanted, readNarrowing } from './narrowed.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import { TimelineRows } from './timeline-rows.tsx'
import { toldSoFar } from './told-so-far.ts'
import { useRepoNames } from './use-repo-names.ts'

const PAGE = 60
/** Fewer moments than this fill no screen: then more is loaded at once. */
const ENOUGH = 40

type Feed = ResultOf<'cacp/feed/read'>
const pageOf = ({ events, more }: Feed) => ({ rows: events, next: more ? events.at(-1)?.cursor : undefined })

/** What happened while one was away. */
export function Timeline({ route: { query } }: ScreenProps) {
  const narrowing = readNarrowing(query)
  const params = {
    order: 'newest' as const,
    limit: PAGE,
    ...(query['project'] === undefined ? {} : { projectId: query['project'] }),
    ...(narrowing.kind === undefined ? {} : { kinds: [...ENTITIES_OF[narrowing.kind]] }),
  }
  const feed = useCall('cacp/feed/read', params, { kinds: ['project', 'repo', 'contract', 'packet'] })
  const paged = usePages<Feed['events'][number]>({
    key: JSON.stringify(params),
    first: feed.value && pageOf(feed.value),
    // What changed is another event: the timeline tells it when the person asks for what is new.
    idOf: ({ cursor }) => cursor,
    load: async (before) => {
      const outcome = await call('cacp/feed/read', { ...params, before })
      return outcome.ok ? { ok: true, result: pageOf(outcome.result) } : outcome
    },
  })
  const names = useRepoNames()
  const nameOf = ({ repoId, agentId }: Moment) => names.repo(repoId) ?? names.agent(agentId)
  const projectOf = ({ projectId, repoId, about }: Moment) =>
    query['project'] !== undefined || (repoId === null && about === null)
      ? undefined
      : names.project(projectId)
  const told = toldSoFar(paged.rows, paged.next === undefined)
  const moments = told.filter(isWanted(narrowing, nameOf))
  const lookedAt = useLooked(told[0]?.at)
  const rows = foldTimeline(moments, { now: now.value, lookedAt, dayOf: dayName })
  const isShort = moments.length < ENOUGH && paged.next !== undefined && paged.fault === undefined
  useEffect(() => {
    if (isShort) paged.more()
  }, [isShort, paged.rows.length])
  useRowKeys()
  usePageTitle('Timeline')
  return (
    <div class="screen">
      <header class="screen-heading">
        <h1>Timeline</h1>
      </header>
      <TimelineFilters narrowing={narrowing} repos={names.all} />
      {paged.newer > 0 && (
        <button type="button" class="new-rows" onClick={paged.refresh}>
          {paged.newer} new
        </button>
      )}
      <Answer
        of={feed}
        empty={() => moments.length === 0 && !isShort && <Nothing isAll={told.length === 0} query={query} />}
      >
        {() => (
          <TimelineRows
            rows={rows}
            lanes={lanesOf(moments, nameOf, names.own)}
            names={{ nameOf, project: projectOf }}
            isAll={paged.next === undefined}
            more={paged.more}
          />
        )}
      </Answer>
      {paged.fault !== undefined && <Failed fault={paged.fault} again={paged.more} />}
    </div>
  )
}

function Nothing({
  isAll,
  query,
}: {
  readonly isAll: boolean
  readonly query: Readonly<Record<string, string>>
}) {
  if (isAll)
    return (
      <Empty title="Nothing has happened yet">
        <p>
          What the repositories of a project propose, ask and decide. To begin:{' '}
          <code>cacpd project create NAME</code>
        </p>
      </Empty>
    )
  return (
    <Empty title="Nothing matches these filters">
      <p>
        <Link to={{ screen: 'timeline', query: { project: query['project'] } }}>Show everything</Link>
      </p>
    </Empty>
  )
}
