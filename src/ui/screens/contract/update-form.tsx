import { useSignal } from '@preact/signals'
import { call } from '../../call/call.ts'
import type { CallFault } from '../../call/fault.ts'
import { ActForm } from '../../form/act-form.tsx'
import { Choice } from '../../form/choice.tsx'
import { TextField } from '../../form/field.tsx'
import { readJsonText } from '../../form/json-text.ts'
import { useAct } from '../../form/use-act.ts'
import { Failed } from '../../frame/answer.tsx'
import { show } from '../../router/router.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { DeliveryLine } from './delivery-line.tsx'
import { NewerBar, useReadVersion } from './read-version.tsx'
import type { Acting } from './reading.ts'
import { type Review, ReviewPanel } from './review-panel.tsx'

/** Proposes a new version: what somebody suggested, or what is written here. */
export function UpdateForm({ projectId, contract, acted }: Acting) {
  const act = useAct('cacp/contract/update')
  const read = useReadVersion(contract.version)
  const text = useSignal(JSON.stringify(contract.content, null, 2))
  const note = useSignal('')
  const accepted = useSignal('')
  const written = readJsonText(text.value)
  const suggestions = (contract.suggestions ?? []).filter(({ acceptable }) => acceptable)
  const problem =
    read.newer !== undefined
      ? `Look at version ${read.newer} before you propose another one`
      : accepted.value === ''
        ? written.problem
        : undefined
  if (act.state.is === 'done')
    return (
      <DeliveryLine
        did={`Proposed version ${act.state.result.version}`}
        at={act.state.at}
        delivery={contract.delivery}
      />
    )
  return (
    <ActForm
      method="cacp/contract/update"
      title="Propose a new version"
      button={`Propose version ${read.version + 1}`}
      problem={problem}
      act={act}
      params={{
        projectId,
        contractId: contract.contractId,
        changeNote: note.value,
        version: read.version,
        ...(accepted.value === ''
          ? { content: (written.value ?? {}) as never }
          : { acceptSuggestion: accepted.value }),
      }}
      done={acted}
      refused={acted}
      cancel={() => show({ act: undefined })}
    >
      <h3>Propose a new version</h3>
      <NewerBar read={read} />
      {suggestions.length > 0 && (
        <fieldset>
          <legend>The content</legend>
          <Choice name="content" of={accepted} value={''}>
            as it is written here
          </Choice>
          {suggestions.map(({ response_id, repo, comment }) => (
            <Choice key={response_id} name="content" of={accepted} value={response_id}>
              <span>
                as <Quoted text={repo} most={60} /> suggests: <Foreign text={comment.slice(0, 200)} />
              </span>
            </Choice>
          ))}
        </fieldset>
      )}
      {accepted.value === '' && (
        <TextField
          label="The whole content, as JSON"
          of={text}
          rows={16}
          isCode
          isFocused
          problem={written.problem}
        />
      )}
      <TextField label="What changes, and why" of={note} rows={2} />
      {accepted.value === '' && written.value !== undefined && (
        <TryReview projectId={projectId} contractId={contract.contractId} content={written.value} />
      )}
    </ActForm>
  )
}

interface TryReviewProps {
  readonly projectId: string
  readonly contractId: string
  readonly content: object
}

/** What a content would do to consumers, before it is proposed. */
function TryReview({ projectId, contractId, content }: TryReviewProps) {
  const tried = useSignal<{ of: object; review?: Review; fault?: CallFault } | undefined>(undefined)
  const ask = async () => {
    const outcome = await call('cacp/contract/review', { projectId, contractId, content: content as never })
    tried.value = outcome.ok ? { of: content, review: outcome.result } : { of: content, fault: outcome.fault }
  }
  const isOld = tried.value !== undefined && JSON.stringify(tried.value.of) !== JSON.stringify(content)
  return (
    <div class="try-review">
      <button type="button" onClick={() => void ask()}>
        See what it would do to consumers
      </button>
      {isOld && <p class="quiet">The content has changed since.</p>}
      {tried.value?.review !== undefined && !isOld && <ReviewPanel review={tried.value.review} />}
      {tried.value?.fault !== undefined && <Failed fault={tried.value.fault} />}
    </div>
  )
}
