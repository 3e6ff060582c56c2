import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { type Column, Table } from '../../frame/table.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { DIALECT_NAMES, RUN_WORDS, type Run } from './status.ts'
import { StatusFilter } from './status-filter.tsx'
import { Took } from './took.tsx'
import { Who } from './who.tsx'

const STATUSES = ['created', 'in_progress', 'completed', 'failed', 'canceled'] as const
const SHOWN = 100

/** What this repository's agent was asked for, the newest first. */
export function RunList({ status }: { readonly status: string | undefined }) {
  const chosen = STATUSES.find((one) => one === status)
  const runs = useCall(
    'cacp/run/list',
    { limit: SHOWN, ...(chosen === undefined ? {} : { status: chosen }) },
    { local: ['runs'], everySeconds: 5 },
  )
  return (
    <>
      <StatusFilter value={chosen} of={STATUSES} />
      <Answer
        of={runs}
        empty={(found) =>
          found.runs.length === 0 &&
          (chosen === undefined ? (
            <Empty title="This agent was asked nothing yet">
              <p>
                Others ask it by any of its protocols. To try it at another daemon:{' '}
                <code>cacpd work send PEER answer_question</code>
              </p>
            </Empty>
          ) : (
            <Empty title={`No run is ${RUN_WORDS[chosen].word}`} />
          ))
        }
      >
        {(found) => (
          <>
            <Table columns={COLUMNS} rows={found.runs} keyOf={({ run_id }) => run_id} />
            {found.runs.length === SHOWN && (
              <p class="quiet">
                The newest {SHOWN}. More of them: <code>cacpd run list --limit 1000</code>.
              </p>
            )}
          </>
        )}
      </Answer>
    </>
  )
}

const COLUMNS: readonly Column<Run>[] = [
  {
    name: 'Status',
    cell: ({ status, attempt }) => (
      <>
        <Tag said={RUN_WORDS[status]} />
        {attempt > 1 && <span class="quiet"> attempt {attempt}</span>}
      </>
    ),
  },
  {
    name: 'What',
    cell: ({ run_id, work_type, prompt }) => (
      <>
        <Link to={{ screen: 'runs', ids: [run_id] }}>
          <Foreign text={work_type} />
        </Link>
        {prompt !== '' && (
          <span class="row-note">
            <Quoted text={prompt} most={120} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Asked by', cell: ({ asked_by }) => <Who agentId={asked_by} /> },
  { name: 'By way of', cell: ({ dialect }) => DIALECT_NAMES[dialect] },
  {
    name: 'Took',
    isNumber: true,
    cell: ({ created_at, ended_at }) => <Took from={created_at} to={ended_at} />,
  },
  { name: 'When', cell: ({ created_at }) => <Ago at={created_at} /> },
]
