import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useCall } from '../../call/use-call.ts'
import { Answer, Empty, Failed } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { useKey } from '../../frame/keys.ts'
import { useRowKeys } from '../../list/use-row-keys.ts'
import { put } from '../../put.ts'
import { Link } from '../../router/link.tsx'
import type { ScreenProps } from '../../router/route.ts'
import { show } from '../../router/router.ts'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { Beginning } from './beginning.tsx'
import { InboxList } from './inbox-list.tsx'
import { Preview } from './preview.tsx'
import { type InboxRow, rowsOf } from './rows.ts'
import { useHide } from './use-hide.ts'

/** Of each group; the page has no more rows than a person can look through. */
const MOST_ROWS = 60

const inProject = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId })

/** Where there is room for both, the first row is open beside the list. */
const WIDE = matchMedia('(min-width: 1000px)')

/** What waits for a person, what the agent has, and whom this repository waits for. */
export function Inbox({ route: { query } }: ScreenProps) {
  const projectId = query['project']
  const todo = useCall(
    'cacp/person/todo',
    { limit: MOST_ROWS, ...inProject(projectId) },
    {
      local: ['peers'],
      kinds: ['project', 'repo', 'contract', 'packet'],
      everySeconds: 30,
    },
  )
  useRowKeys()
  usePageTitle('Inbox')
  const rows = todo.value === undefined ? [] : rowsOf(todo.value)
  const wanted = query['item']
  const open = useOpenRow(rows, wanted)
  const { again } = todo
  const hiding = useHide(rows, again)
  const hide = open?.group === 'agent' ? () => hiding.hide(open) : undefined
  useKey('e', 'hide it until it changes', () => hide?.(), [open?.id, rows.length])
  return (
    <div class={`inbox${wanted === undefined ? '' : ' has-item'}`}>
      <h1 class={wanted === undefined ? undefined : 'under-item'}>Inbox</h1>
      {hiding.fault !== undefined && <Failed fault={hiding.fault} />}
      {hiding.hidden?.group === 'agent' && (
        <p class="hidden-row" role="status">
          <span>
            <Quoted text={hiding.hidden.of.about.name} most={60} /> is hidden for you until it changes.
          </span>
          <button type="button" class="link" onClick={hiding.undo}>
            Show it again
          </button>
        </p>
      )}
      <Answer
        of={todo}
        empty={() => rows.length === 0 && open === undefined && <NothingWaits projectId={projectId} />}
      >
        {(value) => (
          <div class="inbox-panes">
            <InboxList rows={rows} todo={value} openId={open?.id} query={query} />
            {open !== undefined && (
              <section class="inbox-preview" aria-label="What is chosen">
                <p class="back">
                  <Link to={{ screen: 'inbox', query: { project: projectId } }}>Back to the list</Link>
                </p>
                <Preview
                  key={open.id}
                  row={open}
                  act={query['act']}
                  isGone={!rows.some(({ id }) => id === open.id)}
                  hide={hide}
                  acted={again}
                />
              </section>
            )}
          </div>
        )}
      </Answer>
    </div>
  )
}

/** The row that is open. One that is done stays until another one is opened, to show how far it comes. */
function useOpenRow(rows: readonly InboxRow[], wanted: string | undefined): InboxRow | undefined {
  const last = useSignal<InboxRow | undefined>(undefined)
  const found = rows.find(({ id }) => id === wanted)
  const usual = wanted === undefined && WIDE.matches ? (last.value ?? rows[0]) : undefined
  const kept = last.value?.id === wanted ? last.value : undefined
  const open = found ?? kept ?? usual
  useEffect(() => put(last, open), [open, last])
  return open
}

function NothingWaits({ projectId }: { readonly projectId: string | undefined }) {
  const overview = useCall('cacp/project/overview', {}, { kinds: ['project'] })
  const newest = useCall(
    'cacp/contract/list',
    { ...(projectId === undefined ? { allProjects: true } : { projectId }), order: 'newest', limit: 1 },
    { kinds: ['contract'] },
  )
  const last = newest.value?.contracts[0]
  if (overview.value?.projects.length === 0) return <Beginning />
  return (
    <Empty title="Nothing waits for a person.">
      {last !== undefined && (
        <p>
          The last change was <Ago at={last.updatedAt} />, of <Quoted text={last.name} most={80} />.
        </p>
      )}
      <p>
        <Link to={{ screen: 'contracts', query: { project: projectId } }}>See the contracts</Link>
        {projectId !== undefined && (
          <>
            {' '}
            or{' '}
            <button type="button" class="link" onClick={() => show({ project: undefined })}>
              look at all projects
            </button>
          </>
        )}
      </p>
    </Empty>
  )
}
