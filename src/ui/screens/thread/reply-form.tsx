import { useSignal } from '@preact/signals'
import { ActForm } from '../../form/act-form.tsx'
import { TextField } from '../../form/field.tsx'
import { useAct } from '../../form/use-act.ts'
import { PacketDone } from './packet-done.tsx'

interface ReplyProps {
  readonly projectId: string
  readonly replyTo: string
  readonly relatedContracts: readonly string[]
  /** Whether it answers a question. */
  readonly isAnswer: boolean
  /** Whether the person came to write. */
  readonly isOpen: boolean
  acted(): void
}

/** Answers a question, or goes on with a conversation. */
export function ReplyForm({ projectId, replyTo, relatedContracts, isAnswer, isOpen, acted }: ReplyProps) {
  const act = useAct('cacp/context/share')
  const text = useSignal('')
  if (act.state.is === 'done')
    return (
      <PacketDone
        did="Replied"
        at={act.state.at}
        projectId={projectId}
        packetId={act.state.result.packetId}
      />
    )
  return (
    <ActForm
      method="cacp/context/share"
      title="Reply"
      button="Reply"
      problem={text.value.trim() === '' ? 'Write the reply' : undefined}
      act={act}
      params={{
        projectId,
        type: 'dependency_info',
        content: isAnswer ? { answer: text.value } : { message: text.value },
        replyTo,
        relatedContracts: [...relatedContracts],
      }}
      done={acted}
    >
      <TextField label="Your reply" of={text} isFocused={isOpen} isRequired />
    </ActForm>
  )
}
