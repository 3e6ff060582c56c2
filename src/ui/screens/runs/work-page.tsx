import { ActButton } from '../../form/act-button.tsx'
import { CopyButton } from '../../form/copy-button.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Fact, Facts } from '../../frame/facts.tsx'
import { Icon } from '../../frame/icon.tsx'
import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { clockTime, fullTime } from '../../text/time.ts'
import { LongText } from './long-text.tsx'
import { Progress } from './progress.tsx'
import { RequestDetails } from './request-details.tsx'
import { isOver, RUN_WORDS } from './status.ts'
import { Took } from './took.tsx'
import { type FollowedWork, useWork } from './use-work.ts'

/** Work that another repository's agent was asked to do. */
export function WorkPage({ workId }: { readonly workId: string }) {
  const work = useWork(workId)
  return (
    <div class="screen">
      <p>
        <Link to={{ screen: 'runs', query: { of: 'work' } }}>All work sent to others</Link>
      </p>
      <Answer of={work}>{(followed) => <OneWork followed={followed} />}</Answer>
    </div>
  )
}

function OneWork({ followed }: { readonly followed: FollowedWork }) {
  const { work, request } = followed
  const { workType, repoName, status, progress, step } = work
  return (
    <>
      <header class="screen-heading">
        <div class="title">
          <h1>
            Work: <Foreign text={workType} />
          </h1>
          <Tag said={RUN_WORDS[status]} />
        </div>
        <div class="buttons">
          <WorkActs followed={followed} />
        </div>
      </header>
      <section class="part panel" aria-label="What was sent">
        <h2>
          Sent to <Quoted text={repoName} />
        </h2>
        {request !== undefined && <RequestDetails request={request} />}
      </section>
      {!isOver(status) && <Progress percent={progress} />}
      {step !== null && step.number > 0 && (
        <p>
          Step {step.number}: <Quoted text={step.name} />{' '}
          <span class="quiet">
            <Foreign text={step.status} />
          </span>
        </p>
      )}
      <WorkOutcome followed={followed} />
      <Part title="About this work">
        <WorkFacts followed={followed} />
      </Part>
    </>
  )
}

function WorkActs({ followed: { work, request } }: { readonly followed: FollowedWork }) {
  const { workId, workType, repoName, status } = work
  return (
    <>
      {request !== undefined && (
        <>
          <CopyButton text={JSON.stringify(request, null, 2)} what="the request" />
          <ActButton
            method="cacp/work/send"
            params={request}
            verb="Send again"
            name={workType}
            done={({ work: sent }) => (
              <p>
                It was sent as new work.{' '}
                <Link to={{ screen: 'runs', ids: [sent.workId], query: { of: 'work' } }}>
                  See the new work
                </Link>
              </p>
            )}
          >
            <p>
              The same request goes to <Quoted text={repoName} /> once more, as new work. This work stays as
              it is.
            </p>
          </ActButton>
        </>
      )}
      {!isOver(status) && (
        <ActButton
          method="cacp/work/cancel"
          params={{ workId }}
          verb="Cancel work"
          name={workType}
          isGrave
          done={({ work: ended }) => (
            <p>
              It ended as {ended.status}
              {ended.endedAt !== null && `, on disk ${clockTime(ended.endedAt)}`}.
            </p>
          )}
        >
          <p>
            It ends here, and the agent of <Quoted text={repoName} /> is told to stop.
          </p>
        </ActButton>
      )}
    </>
  )
}

function WorkOutcome({ followed: { work, result } }: { readonly followed: FollowedWork }) {
  const { error } = work
  return (
    <>
      {error !== null && (
        <div class="failed" role="alert">
          <p class="failed-what">
            <Icon name="warning" />
            <strong>Failed with code {error.code}</strong>
          </p>
          <p>
            <Quoted text={error.message} most={1000} />
          </p>
          <p>{error.retryable ? 'Sent again, it may work.' : 'Sent again, it would fail again.'}</p>
        </div>
      )}
      {result !== null && (
        <Part title="Answer">
          {result.missing.length > 0 && (
            <p class="banner">Parts of the output never came; this is its end.</p>
          )}
          {result.output === '' ? (
            <p class="quiet">It wrote no text.</p>
          ) : (
            <LongText text={result.output} label="Answer" />
          )}
        </Part>
      )}
    </>
  )
}

function WorkFacts({ followed: { work, result } }: { readonly followed: FollowedWork }) {
  const { agentId, askedBy, sends, createdAt, endedAt, lastHeartbeat, requestId, traceId } = work
  return (
    <Facts>
      <Fact name="Done by" text={agentId} />
      <Fact name="Sent by" text={askedBy} />
      <Fact name="Times sent">{sends}</Fact>
      <Fact name="Sent">{fullTime(createdAt)}</Fact>
      <Fact name="Took">
        <Took from={createdAt} to={endedAt} />
      </Fact>
      <Fact name="Last heard of the agent">
        {lastHeartbeat === null ? 'Never' : <Ago at={lastHeartbeat} />}
      </Fact>
      {result !== null && (
        <>
          <Fact name="Exit code">{result.exitCode}</Fact>
          <Fact name="Attempt that answered">{result.attempt}</Fact>
          <Fact name="Used" text={JSON.stringify(result.resourcesUsed)} />
        </>
      )}
      <Fact name="Request ID" text={requestId} />
      <Fact name="Trace ID" text={traceId} />
    </Facts>
  )
}
