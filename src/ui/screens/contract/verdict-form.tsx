import { useSignal } from '@preact/signals'
import { ActForm } from '../../form/act-form.tsx'
import { CheckBox } from '../../form/choice.tsx'
import { TextField } from '../../form/field.tsx'
import { readJsonText } from '../../form/json-text.ts'
import { useAct } from '../../form/use-act.ts'
import { Icon } from '../../frame/icon.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { Part } from '../../frame/part.tsx'
import { show } from '../../router/router.ts'
import { Ago } from '../../text/ago.tsx'
import { ANSWER_WORDS } from '../../text/words.ts'
import { DeliveryLine } from './delivery-line.tsx'
import { NewerBar, useReadVersion } from './read-version.tsx'
import { type Acting, answerOf, nameOf } from './reading.ts'

const ACTIONS = ['agree', 'request_change', 'reject'] as const
export type Action = (typeof ACTIONS)[number]

const CHOICES: Readonly<Record<Action, { word: string; button: string; did: string }>> = {
  agree: { word: 'Agree', button: 'Agree', did: 'Agreed to' },
  request_change: { word: 'Request a change', button: 'Request the change', did: 'Requested a change of' },
  reject: { word: 'Reject', button: 'Reject', did: 'Rejected' },
}

export const isAction = (word: string | undefined): word is Action => ACTIONS.some((one) => one === word)

interface VerdictProps extends Acting {
  /** What was chosen; undefined: nothing yet. */
  readonly action: Action | undefined
}

/** The answer of this repository, bound to the version that was read. */
export function VerdictForm({ action, ...acting }: VerdictProps) {
  const { contract, ownRepo, acted } = acting
  const given = answerOf(contract, ownRepo)
  const act = useAct('cacp/contract/respond')
  const done = useSignal<{ did: string } | undefined>(undefined)
  return (
    <Part title={`Your answer to version ${contract.version}`} class="panel verdict">
      {act.state.is === 'done' && done.value !== undefined ? (
        <>
          <DeliveryLine did={done.value.did} at={act.state.at} delivery={contract.delivery} />
          <button
            type="button"
            class="link"
            onClick={() => {
              act.reset()
              show({ act: undefined })
            }}
          >
            Answer again
          </button>
        </>
      ) : (
        <>
          {given !== undefined && (
            <p>
              This repository {CHOICES[given.action].did.toLowerCase()} it <Ago at={given.timestamp} />.
              Another answer takes the place of that.
            </p>
          )}
          <OpenForm
            {...acting}
            action={action}
            act={act}
            done={(version) => {
              done.value = { did: `${CHOICES[action ?? 'agree'].did} version ${version}` }
              acted()
            }}
          />
        </>
      )}
    </Part>
  )
}

interface OpenFormProps extends VerdictProps {
  readonly act: ReturnType<typeof useAct<'cacp/contract/respond'>>
  done(version: number): void
}

function OpenForm({ projectId, contract, repos, ownRepo, acted, action, act, done }: OpenFormProps) {
  const read = useReadVersion(contract.version)
  const comment = useSignal('')
  const suggestion = useSignal<string | undefined>(undefined)
  const takesOn = useSignal(false)
  const breaksOwn = contract.review?.repos?.some(
    ({ repo, verdict }) => verdict === 'breaking' && ownRepo !== undefined && repo === nameOf(repos, ownRepo),
  )
  const written = suggestion.value === undefined ? undefined : readJsonText(suggestion.value)
  const problem =
    read.newer !== undefined
      ? `Look at version ${read.newer} before you answer`
      : action === 'request_change' && written?.problem !== undefined
        ? written.problem
        : undefined
  return (
    <>
      <fieldset class="verdicts">
        <legend class="visually-hidden">Your answer</legend>
        {ACTIONS.map((one) => (
          <label key={one} class={`verdict-choice ${ANSWER_WORDS[one].tone}`}>
            <input type="radio" name="action" checked={action === one} onChange={() => show({ act: one })} />
            <Icon name={ANSWER_WORDS[one].icon} />
            <span>{CHOICES[one].word}</span>
            {one !== 'reject' && <KeyHint of={KEYS[one]} />}
          </label>
        ))}
      </fieldset>
      <NewerBar read={read} />
      {action !== undefined && (
        <ActForm
          method="cacp/contract/respond"
          title="Your answer"
          button={`${CHOICES[action].button}: version ${read.version}`}
          isGrave={action === 'reject'}
          problem={problem}
          act={act}
          params={{
            projectId,
            contractId: contract.contractId,
            action,
            comment: comment.value,
            version: read.version,
            ...(action === 'request_change' && written?.value !== undefined
              ? { suggestedChange: written.value as never }
              : {}),
            ...(action === 'agree' && breaksOwn && takesOn.value ? { accepts: 'all' as const } : {}),
          }}
          done={() => done(read.version)}
          refused={acted}
          cancel={() => show({ act: undefined })}
        >
          <TextField
            label={action === 'agree' ? 'Comment (may stay empty)' : 'What should be otherwise, and why?'}
            of={comment}
            isFocused
          />
          {action === 'agree' && breaksOwn && (
            <CheckBox of={takesOn}>This repository takes on what breaks it</CheckBox>
          )}
          {action === 'request_change' && (
            <>
              <label class="choice">
                <input
                  type="checkbox"
                  checked={suggestion.value !== undefined}
                  onChange={({ currentTarget }) => {
                    suggestion.value = currentTarget.checked
                      ? JSON.stringify(contract.content, null, 2)
                      : undefined
                  }}
                />
                Suggest the content as it should be
              </label>
              {suggestion.value !== undefined && (
                <TextField
                  label="The whole content, as JSON"
                  of={suggestion}
                  rows={14}
                  isCode
                  problem={written?.problem}
                />
              )}
            </>
          )}
        </ActForm>
      )}
    </>
  )
}

/** Each opens the form; none sends it. */
export const KEYS = { agree: 'a', request_change: 'x' } as const
