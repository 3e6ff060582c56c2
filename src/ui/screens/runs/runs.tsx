import { useEffect } from 'preact/hooks'
import { pageTitle } from '../../frame/count.ts'
import type { ScreenProps } from '../../frame/screen-props.ts'
import { show } from '../../router/router.ts'
import { RunList } from './run-list.tsx'
import { RunPage } from './run-page.tsx'
import { WorkList } from './work-list.tsx'
import { WorkPage } from './work-page.tsx'

/** What this repository's agent was asked, and what it asked others to do. */
export function Runs({ route: { ids, query } }: ScreenProps) {
  const [id] = ids
  const isWork = query['of'] === 'work'
  useEffect(() => {
    pageTitle.value = 'Runs and work'
  }, [])
  if (id !== undefined) return isWork ? <WorkPage workId={id} /> : <RunPage runId={id} />
  return (
    <div class="screen">
      <header class="screen-heading">
        <h1>Runs and work</h1>
        <div class="segments" role="group" aria-label="Whose work">
          <button
            type="button"
            aria-pressed={!isWork}
            onClick={() => show({ of: undefined, status: undefined })}
          >
            Asked of this agent
          </button>
          <button type="button" aria-pressed={isWork} onClick={() => show({ of: 'work', status: undefined })}>
            Sent to others
          </button>
        </div>
      </header>
      {isWork ? <WorkList status={query['status']} /> : <RunList status={query['status']} />}
    </div>
  )
}
