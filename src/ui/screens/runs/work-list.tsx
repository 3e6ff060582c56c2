import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { RUN_WORDS, type Work } from './status.ts'
import { StatusFilter } from './status-filter.tsx'
import { Took } from './took.tsx'

const STATUSES = ['sending', 'running', 'completed', 'failed', 'canceled'] as const
const SHOWN = 100

/** The work that was sent to other repositories, the newest first. */
export function WorkList({ status }: { readonly status: string | undefined }) {
  const chosen = STATUSES.find((one) => one === status)
  const works = useCall(
    'cacp/work/list',
    { limit: SHOWN, ...(chosen === undefined ? {} : { status: chosen }) },
    { local: ['work'], everySeconds: 5 },
  )
  return (
    <>
      <StatusFilter value={chosen} of={STATUSES} />
      <Answer
        of={works}
        empty={(found) =>
          found.works.length === 0 &&
          (chosen === undefined ? (
            <Empty title="No work was sent from here yet">
              <p>
                An agent has another one do some with the tool <code>work_send</code>; you can with{' '}
                <code>cacpd work send PEER TYPE</code>.
              </p>
            </Empty>
          ) : (
            <Empty title={`No work is ${RUN_WORDS[chosen].word}`} />
          ))
        }
      >
        {(found) => (
          <>
            <Table columns={COLUMNS} rows={found.works} keyOf={({ workId }) => workId} />
            {found.works.length === SHOWN && (
              <p class="quiet">
                The newest {SHOWN}. More of it: <code>cacpd work list --limit 1000</code>.
              </p>
            )}
          </>
        )}
      </Answer>
    </>
  )
}

const COLUMNS: readonly Column<Work>[] = [
  {
    name: 'Status',
    cell: ({ status, progress }) => (
      <>
        <Tag said={RUN_WORDS[status]} />
        {status === 'running' && <span class="quiet"> {progress} %</span>}
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ workId, workType, error }) => (
      <>
        <Link to={{ screen: 'runs', ids: [workId], query: { of: 'work' } }}>
          <Foreign text={workType} />
        </Link>
        {error !== null && (
          <span class="row-note">
            <Quoted text={error.message} most={120} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Sent to', cell: ({ repoName }) => <Quoted text={repoName} /> },
  { name: 'Times sent', isNumber: true, cell: ({ sends }) => sends },
  {
    name: 'Took',
    isNumber: true,
    cell: ({ createdAt, endedAt }) => <Took from={createdAt} to={endedAt} />,
  },
  { name: 'When', cell: ({ createdAt }) => <Ago at={createdAt} /> },
]
