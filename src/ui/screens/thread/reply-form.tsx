import { useSignal } from '@preact/signals'
import { TextField } from '../../form/field.tsx'
import { Offered } from './offered.tsx'
import { PacketForm, type Talk } from './packet-form.tsx'

interface ReplyProps extends Required<Talk> {
  /** Those of the question that it answers; undefined: it answers none. */
  readonly options: readonly string[] | undefined
  /** Whether the person came to write. */
  readonly isOpen: boolean
}

/** Answers a question, or goes on with a conversation. */
export function ReplyForm({ projectId, replyTo, relatedContracts, options, isOpen, acted }: ReplyProps) {
  const text = useSignal('')
  return (
    <PacketForm
      method="cacp/context/share"
      title="Reply"
      button="Reply"
      did="Replied"
      isUsual
      problem={text.value.trim() === '' ? 'Write the reply' : undefined}
      params={{
        projectId,
        type: 'dependency_info',
        content: options ? { answer: text.value } : { message: text.value },
        replyTo,
        relatedContracts: [...relatedContracts],
      }}
      acted={acted}
    >
      <Offered options={options ?? []} of={text} />
      <TextField label="Your reply" of={text} isFocused={isOpen} isRequired />
    </PacketForm>
  )
}
