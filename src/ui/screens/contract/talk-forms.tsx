import { useSignal } from '@preact/signals'
import { CheckBox } from '../../form/choice.tsx'
import { TextField } from '../../form/field.tsx'
import { Offered } from '../thread/offered.tsx'
import { PacketForm, type Talk } from '../thread/packet-form.tsx'

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Asks the other repositories about the contract. */
export function AskForm({ projectId, relatedContracts, acted }: Talk) {
  const question = useSignal('')
  const options = useSignal('')
  const urgent = useSignal(false)
  const offered = linesOf(options.value)
  return (
    <PacketForm
      method="cacp/context/askQuestion"
      title="Ask a question"
      button="Ask"
      did="Asked"
      problem={question.value.trim() === '' ? 'Write the question' : undefined}
      params={{
        projectId,
        question: question.value,
        urgent: urgent.value,
        relatedContracts: [...relatedContracts],
        ...(offered.length === 0 ? {} : { options: offered }),
      }}
      acted={acted}
    >
      <TextField label="Question" of={question} isFocused isRequired />
      <TextField label="Options to choose from, one on each line (may stay empty)" of={options} />
      <CheckBox of={urgent}>It is urgent</CheckBox>
    </PacketForm>
  )
}

interface DecideProps extends Talk {
  readonly decision?: string
  readonly options?: readonly string[]
  /** Whether the person came to write. */
  readonly isOpen?: boolean
}

/** Records what was decided. */
export function DecideForm(props: DecideProps) {
  const { projectId, relatedContracts, replyTo, options = [], isOpen = true, acted } = props
  const decision = useSignal(props.decision ?? '')
  const chosen = useSignal('')
  const rationale = useSignal('')
  const implications = useSignal('')
  const isWhole = decision.value.trim() !== '' && chosen.value.trim() !== ''
  return (
    <PacketForm
      method="cacp/context/recordDecision"
      title="Record a decision"
      button="Record the decision"
      did="Recorded"
      problem={isWhole ? undefined : 'Say what is decided, and what is chosen'}
      params={{
        projectId,
        decision: decision.value,
        chosen: chosen.value,
        rationale: rationale.value,
        implications: linesOf(implications.value),
        relatedContracts: [...relatedContracts],
        ...(replyTo === undefined ? {} : { replyTo }),
      }}
      acted={acted}
    >
      <TextField label="What is decided" of={decision} rows={2} isFocused={isOpen} isRequired />
      <Offered options={options} of={chosen} />
      <TextField label="What is chosen" of={chosen} rows={2} isRequired />
      <TextField label="Why" of={rationale} />
      <TextField
        label="What follows from it, one thing on each line (may stay empty)"
        of={implications}
        rows={2}
      />
    </PacketForm>
  )
}
