import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { now } from '../../text/now.ts'
import { RUN_WORDS, tookOf, type Work } from './status.ts'
import { StatusFilter } from './status-filter.tsx'

const STATUSES = ['sending', 'running', 'completed', 'failed', 'canceled'] as const
const CHOICES = STATUSES.map((status) => ({ status, word: RUN_WORDS[status].word }))
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
      <StatusFilter value={chosen} choices={CHOICES} />
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
          <table class="table">
            <thead>
              <tr>
                <th>Status</th>
                <th>What</th>
                <th>Sent to</th>
                <th class="number">Times sent</th>
                <th class="number">Took</th>
                <th>When</th>
              </tr>
            </thead>
            <tbody>
              {found.works.map((work) => (
                <WorkRow key={work.workId} work={work} />
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </>
  )
}

function WorkRow({ work }: { readonly work: Work }) {
  const { workId, status, progress, workType, repoName, sends, createdAt, endedAt, error } = work
  return (
    <tr>
      <td data-label="Status">
        <Tag said={RUN_WORDS[status]} />
        {status === 'running' && <span class="quiet"> {progress} %</span>}
      </td>
      <td data-label="What">
        <Link to={{ screen: 'runs', ids: [workId], query: { of: 'work' } }}>
          <Foreign text={workType} />
        </Link>
        {error !== null && (
          <span class="asked">
            <Quoted text={error.message} most={120} />
          </span>
        )}
      </td>
      <td data-label="Sent to">
        <Quoted text={repoName} />
      </td>
      <td data-label="Times sent" class="number">
        {sends}
      </td>
      <td data-label="Took" class="number">
        {tookOf(createdAt, endedAt, now.value)}
      </td>
      <td data-label="When">
        <Ago at={createdAt} />
      </td>
    </tr>
  )
}
