import { useSignal } from '@preact/signals'
import { ActForm } from '../../form/act-form.tsx'
import { CheckBox, Choice } from '../../form/choice.tsx'
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
      <TextField label="Question" of={question} isFocused isRequired />
      <TextField label="Options to choose from, one on each line (may stay empty)" of={options} />
      <CheckBox of={urgent}>It is urgent</CheckBox>
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
      <TextField label="What is decided" of={decision} rows={2} isFocused isRequired />
      {options.length > 0 && (
        <fieldset>
          <legend>The options of the question</legend>
          {options.map((option) => (
            <Choice key={option} name="option" of={chosen} value={option}>
              <Quoted text={option} />
            </Choice>
          ))}
        </fieldset>
      )}
      <TextField label="What is chosen" of={chosen} rows={2} isRequired />
      <TextField label="Why" of={rationale} />
      <TextField
        label="What follows from it, one thing on each line (may stay empty)"
        of={implications}
        rows={2}
      />
    </ActForm>
  )
}
