import { useSignal } from '@preact/signals'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { CopyButton } from '../../form/copy-button.tsx'
import { LineField } from '../../form/field.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Fact, Facts } from '../../frame/facts.tsx'
import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign } from '../../text/foreign.tsx'
import { Prose } from '../../text/prose.tsx'
import { clockTime, fullTime } from '../../text/time.ts'
import type { FollowedRun } from './follow-run.ts'
import { Progress } from './progress.tsx'
import { RequestDetails } from './request-details.tsx'
import { RunResultParts } from './run-result.tsx'
import { DIALECT_NAMES, isOver, RUN_WORDS, type Run } from './status.ts'
import { Took } from './took.tsx'
import { useRun } from './use-run.ts'
import { Who } from './who.tsx'

/** One run: what was asked, and what comes of it, as it comes. */
export function RunPage({ runId }: { readonly runId: string }) {
  const run = useRun(runId)
  return (
    <div class="screen">
      <p>
        <Link to={{ screen: 'runs' }}>All runs</Link>
      </p>
      <Answer of={run}>{(followed) => <OneRun followed={followed} />}</Answer>
    </div>
  )
}

function OneRun({ followed: { run, result } }: { readonly followed: FollowedRun }) {
  const asked = useCall('cacp/run/get', { runId: run.run_id, includeRequest: true }, { kinds: [] })
  const request = asked.value?.request
  return (
    <>
      <header class="screen-heading">
        <div class="title">
          <h1>
            Run: <Foreign text={run.work_type} />
          </h1>
          <Tag said={RUN_WORDS[run.status]} />
        </div>
        <div class="buttons">
          {request !== undefined && <CopyButton text={JSON.stringify(request, null, 2)} what="the request" />}
          {!isOver(run.status) && <CancelRun run={run} />}
        </div>
      </header>
      <section class="part panel" aria-label="What was asked">
        <h2>
          <Who agentId={run.asked_by} /> asked
        </h2>
        {run.prompt === '' ? (
          <p class="quiet">No text: the parameters say it.</p>
        ) : (
          <Prose text={run.prompt} />
        )}
        {request !== undefined && <RequestDetails request={request} />}
      </section>
      {!isOver(run.status) && <Progress percent={result.progress} />}
      <RunResultParts run={run} result={result} />
      <Part title="About this run">
        <RunFacts followed={{ run, result }} />
      </Part>
    </>
  )
}

function RunFacts({ followed: { run, result } }: { readonly followed: FollowedRun }) {
  const { created_at, ended_at, dialect, runner, attempt, request_id, session_id, asked_by } = run
  const usage = Object.entries(result.usage)
  return (
    <Facts>
      <Fact name="Asked by" text={asked_by} />
      <Fact name="By way of">{DIALECT_NAMES[dialect]}</Fact>
      <Fact name="Done by" text={runner} />
      <Fact name="Attempt">{attempt}</Fact>
      <Fact name="Began">{fullTime(created_at)}</Fact>
      <Fact name="Took">
        <Took from={created_at} to={ended_at} />
      </Fact>
      {result.exit_code !== null && <Fact name="Exit code">{result.exit_code}</Fact>}
      {result.cpu_ms !== null && <Fact name="Processor time">{(result.cpu_ms / 1000).toFixed(1)} s</Fact>}
      <Fact name="Request ID" text={request_id} />
      {session_id !== null && <Fact name="Conversation" text={session_id} />}
      {usage.length > 0 && (
        <Fact name="Used">
          {usage.map(([name, count]) => (
            <span key={name} class="line">
              <Foreign text={name} />: {figure(count)}
            </span>
          ))}
        </Fact>
      )}
    </Facts>
  )
}

function CancelRun({ run }: { readonly run: Run }) {
  const reason = useSignal('')
  const given = reason.value.trim()
  return (
    <ActButton
      method="cacp/run/cancel"
      params={{ runId: run.run_id, ...(given === '' ? {} : { reason: given }) }}
      verb="Cancel run"
      name={run.work_type}
      isGrave
      done={({ run: ended }) => (
        <p>
          It ended as {ended.status}
          {ended.ended_at !== null && `, on disk ${clockTime(ended.ended_at)}`}.
        </p>
      )}
    >
      <p>
        What <Who agentId={run.asked_by} /> asked for ends now; it is told why.
      </p>
      <LineField label="Reason" of={reason} maxLength={1000} placeholder="canceled by request" />
    </ActButton>
  )
}
