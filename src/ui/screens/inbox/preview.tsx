import { Answer } from '../../frame/answer.tsx'
import { Icon } from '../../frame/icon.tsx'
import { KeyHint } from '../../frame/key-hint.tsx'
import { Link } from '../../router/link.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { Conversation } from '../thread/conversation.tsx'
import { useThread } from '../thread/use-thread.ts'
import { ContractPreview } from './contract-preview.tsx'
import { type InboxRow, KIND_WORDS, subjectOf } from './rows.ts'
import { TaskPreview } from './task-preview.tsx'

interface PreviewProps {
  readonly row: InboxRow
  readonly act: string | undefined
  /** It is not in the list any more: it was done. */
  readonly isGone: boolean
  readonly hide: (() => void) | undefined
  acted(): void
}

/** The whole of what a row is about, and the form that does it. */
export function Preview({ row, act, isGone, hide, acted }: PreviewProps) {
  const subject = subjectOf(row)
  return (
    <>
      <header class="preview-heading">
        <h2>
          {row.group !== 'waiting' && <span class="kind">{KIND_WORDS[row.of.kind].word}</span>}{' '}
          <Quoted text={row.group === 'person' ? row.of.name : row.of.about.name} most={120} />
        </h2>
        {row.group !== 'waiting' && !isGone && (
          <p class="preview-why">
            <Foreign text={row.of.why} />
          </p>
        )}
        <div class="preview-tools">
          {subject?.kind === 'contract' && (
            <Link to={{ screen: 'contract', ids: [subject.projectId, subject.id] }}>Open the contract</Link>
          )}
          {subject?.kind === 'packet' && (
            <Link to={{ screen: 'thread', ids: [subject.projectId, subject.id] }}>Open the conversation</Link>
          )}
          {hide !== undefined && !isGone && (
            <button type="button" class="small" onClick={hide}>
              <Icon name="hide" /> Hide until it changes <KeyHint of="e" />
            </button>
          )}
          {isGone && (
            <span class="gone" role="status">
              <Icon name="check" /> It is not in the list any more
            </span>
          )}
        </div>
      </header>
      {subject?.kind === 'contract' ? (
        <ContractPreview projectId={subject.projectId} contractId={subject.id} act={act} acted={acted} />
      ) : subject?.kind === 'packet' ? (
        <PacketPreview
          projectId={subject.projectId}
          packetId={subject.id}
          act={act}
          usual={row.group === 'waiting' ? undefined : KIND_WORDS[row.of.kind].form}
          acted={acted}
        />
      ) : row.group === 'waiting' ? null : (
        <TaskPreview task={row.of} />
      )}
    </>
  )
}

interface PacketPreviewProps {
  readonly projectId: string
  readonly packetId: string
  readonly act: string | undefined
  readonly usual: string | undefined
  acted(): void
}

function PacketPreview({ projectId, packetId, act, usual, acted }: PacketPreviewProps) {
  const { thread, next, more } = useThread(projectId, packetId)
  return (
    <Answer of={thread}>
      {(value) => (
        <Conversation
          projectId={projectId}
          packetId={packetId}
          thread={value}
          next={next}
          more={more}
          act={act}
          usual={usual}
          acted={() => {
            thread.again()
            acted()
          }}
        />
      )}
    </Answer>
  )
}
