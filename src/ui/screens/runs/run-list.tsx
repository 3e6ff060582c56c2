import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { now } from '../../text/now.ts'
import { DIALECT_NAMES, RUN_WORDS, type Run, tookOf } from './status.ts'
import { StatusFilter } from './status-filter.tsx'
import { Who } from './who.tsx'

const STATUSES = ['created', 'in_progress', 'completed', 'failed', 'canceled'] as const
const CHOICES = STATUSES.map((status) => ({ status, word: RUN_WORDS[status].word }))
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
      <StatusFilter value={chosen} choices={CHOICES} />
      <Answer
        of={runs}
        empty={(found) =>
          found.runs.length === 0 &&
          (chosen === undefined ? (
            <Empty title="This agent was asked nothing yet">
              <p>
                Others ask it through their own daemons, or by any of its protocols. Try it from here:{' '}
                <code>cacpd work send PEER answer_question</code> at another daemon.
              </p>
            </Empty>
          ) : (
            <Empty title={`No run is ${RUN_WORDS[chosen].word}`} />
          ))
        }
      >
        {(found) => (
          <>
            <table class="table">
              <thead>
                <tr>
                  <th>Status</th>
                  <th>What</th>
                  <th>Asked by</th>
                  <th>By way of</th>
                  <th class="number">Took</th>
                  <th>When</th>
                </tr>
              </thead>
              <tbody>
                {found.runs.map((run) => (
                  <RunRow key={run.run_id} run={run} />
                ))}
              </tbody>
            </table>
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

function RunRow({ run }: { readonly run: Run }) {
  const { run_id, status, work_type, prompt, asked_by, dialect, attempt, created_at, ended_at } = run
  return (
    <tr>
      <td data-label="Status">
        <Tag said={RUN_WORDS[status]} />
        {attempt > 1 && <span class="quiet"> attempt {attempt}</span>}
      </td>
      <td data-label="What">
        <Link to={{ screen: 'runs', ids: [run_id] }}>
          <Foreign text={work_type} />
        </Link>
        {prompt !== '' && (
          <span class="asked">
            <Quoted text={prompt} most={120} />
          </span>
        )}
      </td>
      <td data-label="Asked by">
        <Who agentId={asked_by} />
      </td>
      <td data-label="By way of">{DIALECT_NAMES[dialect]}</td>
      <td data-label="Took" class="number">
        {tookOf(created_at, ended_at, now.value)}
      </td>
      <td data-label="When">
        <Ago at={created_at} />
      </td>
    </tr>
  )
}
