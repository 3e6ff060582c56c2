import { Segments } from '../../form/segments.tsx'
import { usePageTitle } from '../../frame/count.ts'
import type { ScreenProps } from '../../router/route.ts'
import { RunList } from './run-list.tsx'
import { RunPage } from './run-page.tsx'
import { WorkList } from './work-list.tsx'
import { WorkPage } from './work-page.tsx'

/** What this repository's agent was asked, and what it asked others to do. */
export function Runs({ route: { ids, query } }: ScreenProps) {
  const [id] = ids
  const isWork = query['of'] === 'work'
  usePageTitle('Runs and work')
  if (id !== undefined) return isWork ? <WorkPage workId={id} /> : <RunPage runId={id} />
  return (
    <div class="screen">
      <header class="screen-heading">
        <h1>Runs and work</h1>
        <Segments
          label="Whose work"
          choices={[
            ['Asked of this agent', !isWork, { of: undefined, status: undefined }],
            ['Sent to others', isWork, { of: 'work', status: undefined }],
          ]}
        />
      </header>
      {isWork ? <WorkList status={query['status']} /> : <RunList status={query['status']} />}
    </div>
  )
}
