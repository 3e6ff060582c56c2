import { useSignal } from '@preact/signals'
import { ActForm } from '../../form/act-form.tsx'
import { TextField } from '../../form/field.tsx'
import { useAct } from '../../form/use-act.ts'
import { show } from '../../router/router.ts'
import { Quoted } from '../../text/foreign.tsx'
import { PacketDone } from '../thread/packet-done.tsx'

interface TalkProps {
  readonly projectId: string
  readonly contractId: string
  acted(): void
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Asks the other repositories about the contract. */
export function AskForm({ projectId, contractId, acted }: TalkProps) {
  const act = useAct('cacp/context/askQuestion')
  const question = useSignal('')
  const options = useSignal('')
  const urgent = useSignal(false)
  const offered = linesOf(options.value)
  if (act.state.is === 'done')
    return (
      <PacketDone did="Asked" at={act.state.at} projectId={projectId} packetId={act.state.result.packetId} />
    )
  return (
    <ActForm
      method="cacp/context/askQuestion"
      title="Ask a question"
      button="Ask"
      problem={question.value.trim() === '' ? 'Write the question' : undefined}
      act={act}
      params={{
        projectId,
        question: question.value,
        urgent: urgent.value,
        relatedContracts: [contractId],
        ...(offered.length === 0 ? {} : { options: offered }),
      }}
      done={acted}
      cancel={() => show({ act: undefined })}
    >
      <h3>Ask a question</h3>
      <TextField
        label="Question"
        value={question.value}
        isFocused
        isRequired
        change={(text) => {
          question.value = text
        }}
      />
      <TextField
        label="Options to choose from, one on each line (may stay empty)"
        value={options.value}
        change={(text) => {
          options.value = text
        }}
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={urgent.value}
          onChange={({ currentTarget }) => {
            urgent.value = currentTarget.checked
          }}
        />
        It is urgent
      </label>
    </ActForm>
  )
}

interface DecideProps extends Omit<TalkProps, 'contractId'> {
  readonly relatedContracts: readonly string[]
  /** The question that it decides. */
  readonly replyTo?: string
  readonly decision?: string
  readonly options?: readonly string[]
}

/** Records what was decided. */
export function DecideForm(props: DecideProps) {
  const { projectId, relatedContracts, replyTo, options = [], acted } = props
  const act = useAct('cacp/context/recordDecision')
  const decision = useSignal(props.decision ?? '')
  const chosen = useSignal('')
  const rationale = useSignal('')
  const implications = useSignal('')
  const isWhole = decision.value.trim() !== '' && chosen.value.trim() !== ''
  if (act.state.is === 'done')
    return (
      <PacketDone
        did="Recorded"
        at={act.state.at}
        projectId={projectId}
        packetId={act.state.result.packetId}
      />
    )
  return (
    <ActForm
      method="cacp/context/recordDecision"
      title="Record a decision"
      button="Record the decision"
      problem={isWhole ? undefined : 'Say what is decided, and what is chosen'}
      act={act}
      params={{
        projectId,
        decision: decision.value,
        chosen: chosen.value,
        rationale: rationale.value,
        implications: linesOf(implications.value),
        relatedContracts: [...relatedContracts],
        ...(replyTo === undefined ? {} : { replyTo }),
      }}
      done={acted}
      cancel={() => show({ act: undefined })}
    >
      <h3>Record a decision</h3>
      <TextField
        label="What is decided"
        value={decision.value}
        rows={2}
        isFocused
        isRequired
        change={(text) => {
          decision.value = text
        }}
      />
      {options.length > 0 && (
        <fieldset>
          <legend>The options of the question</legend>
          {options.map((option) => (
            <label key={option} class="choice">
              <input
                type="radio"
                name="option"
                checked={chosen.value === option}
                onChange={() => {
                  chosen.value = option
                }}
              />
              <Quoted text={option} />
            </label>
          ))}
        </fieldset>
      )}
      <TextField
        label="What is chosen"
        value={chosen.value}
        rows={2}
        isRequired
        change={(text) => {
          chosen.value = text
        }}
      />
      <TextField
        label="Why"
        value={rationale.value}
        change={(text) => {
          rationale.value = text
        }}
      />
      <TextField
        label="What follows from it, one thing on each line (may stay empty)"
        value={implications.value}
        rows={2}
        change={(text) => {
          implications.value = text
        }}
      />
    </ActForm>
  )
}
