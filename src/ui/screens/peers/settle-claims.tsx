import { type Signal, useSignal } from '@preact/signals'
import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Choice } from '../../form/choice.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign } from '../../text/foreign.tsx'

interface Contested {
  readonly projectId: string
  readonly repoName: string
}

/** Says who holds a repository: as the founder of its project, or with one vote of its members. */
export function SettleClaims({ projectId, repoName }: Contested) {
  const holder = useSignal<string | null | undefined>(undefined)
  return (
    <ActButton
      method="cacp/repo/settle"
      params={{ projectId, repoName, holder: holder.value ?? null }}
      verb="Settle who holds"
      name={repoName}
      isGrave
      problem={holder.value === undefined ? 'Choose who holds it.' : undefined}
      done={({ status, agentId }) => (
        <p>
          {status === 'voted' ? 'Your vote counts; it takes more than half of the members. ' : ''}
          {agentId === null ? 'Nobody' : <Foreign text={agentId} />} holds it now.
        </p>
      )}
    >
      <p>Who does not hold it cannot speak for it; nothing that the others said for it counts any more.</p>
      <Claims projectId={projectId} repoName={repoName} holder={holder} />
    </ActButton>
  )
}

interface ClaimsProps extends Contested {
  readonly holder: Signal<string | null | undefined>
}

function Claims({ projectId, repoName, holder }: ClaimsProps) {
  const project = useCall('cacp/project/get', { projectId, parts: ['repos'] }, { kinds: ['repo'], projectId })
  return (
    <Answer of={project}>
      {({ repos }) => (
        <fieldset>
          <legend>Who holds it</legend>
          {repos
            .find(({ name }) => name === repoName)
            ?.claims.filter(({ released_at }) => released_at === null)
            .map(({ claim_id, agent_id, claimed_at, confirmed, standing }) => (
              <Choice key={claim_id} name="holder" of={holder} value={claim_id}>
                <span>
                  <Foreign text={agent_id} /> <Ago at={claimed_at} />
                  {standing === 'holds' && ', holds it'}
                  {confirmed && ', confirmed by the founder'}
                </span>
              </Choice>
            ))}
          <Choice name="holder" of={holder} value={null}>
            Nobody, until somebody joins
          </Choice>
        </fieldset>
      )}
    </Answer>
  )
}
