import { OpenButton } from '../../form/open-button.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { useKey } from '../../frame/keys.ts'
import { Part } from '../../frame/part.tsx'
import { show } from '../../router/router.ts'
import { Names } from '../../text/foreign.tsx'
import { ShareFileForm } from '../thread/share-file-form.tsx'
import { type Acting, nameOf, standingOf } from './reading.ts'
import { AskForm, DecideForm } from './talk-forms.tsx'
import { UpdateForm } from './update-form.tsx'
import { isAction, VerdictForm } from './verdict-form.tsx'

interface ActsProps extends Acting {
  /** The form that is open, as the address says. */
  readonly act: string | undefined
}

/** What a person can do about the contract. The address opens a form; only the person sends it. */
export function Acts({ act, ...acting }: ActsProps) {
  const { projectId, contract, ownRepo, acted } = acting
  const standing = standingOf(contract, ownRepo)
  useKey('a', 'agree…: opens the form', () => show({ act: 'agree' }))
  useKey('x', 'request a change…: opens the form', () => show({ act: 'request_change' }))
  const talk = { projectId, relatedContracts: [contract.contractId], acted }
  return (
    <>
      {standing === 'may answer' ? (
        <VerdictForm {...acting} action={isAction(act) ? act : undefined} />
      ) : (
        <Part title="Your part" class="panel">
          <WhyNot {...acting} />
        </Part>
      )}
      <section class="panel" aria-label="More">
        {act === 'update' && <UpdateForm {...acting} />}
        {act === 'ask' && <AskForm {...talk} />}
        {act === 'decide' && <DecideForm {...talk} />}
        {act === 'file' && <ShareFileForm {...talk} />}
        <div class="more-acts">
          <OpenButton act="ask" open={act} icon="question">
            Ask a question <KeyHint of="r" />
          </OpenButton>
          <OpenButton act="decide" open={act} icon="check">
            Record a decision
          </OpenButton>
          <OpenButton act="file" open={act} icon="file">
            Share a file
          </OpenButton>
          {standing !== 'no party' && standing !== 'withdrawn' && (
            <OpenButton act="update" open={act} icon="contract">
              Propose a new version
            </OpenButton>
          )}
        </div>
      </section>
    </>
  )
}

/** Why this repository has no answer to give. */
function WhyNot({ contract, repos, ownRepo }: Acting) {
  const { version, head, unanswered, objections } = contract
  const named = (ids: readonly string[]) => <Names names={ids.map((id) => nameOf(repos, id))} />
  const standing = standingOf(contract, ownRepo)
  if (standing === 'withdrawn') return <p>Its author took this contract back: nothing is to be answered.</p>
  if (standing === 'no party')
    return <p>This repository is no party of it: {named(head.needed)} can answer.</p>
  return (
    <p>
      This repository proposed version {version}.{' '}
      {unanswered.length > 0 ? (
        <>The answer of {named(unanswered)} is missing.</>
      ) : objections.length > 0 ? (
        <>{named(objections)} did not agree to it.</>
      ) : (
        'All have agreed to it.'
      )}
    </p>
  )
}
