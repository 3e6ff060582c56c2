import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { OpenButton } from '../../form/open-button.tsx'
import type { JsonFields } from '../../json/value.ts'
import { Link } from '../../router/link.tsx'
import { session } from '../../session/session.ts'
import { figure } from '../../text/figures.ts'
import { Quoted } from '../../text/foreign.tsx'
import { Told } from '../contract/entry.tsx'
import { nameOf } from '../contract/reading.ts'
import { DecideForm } from '../contract/talk-forms.tsx'
import { PacketBody, PacketIcon, packetDid } from './packet.tsx'
import { ReplyForm } from './reply-form.tsx'
import { ShareFileForm } from './share-file-form.tsx'

interface ConversationProps {
  readonly projectId: string
  /** The packet that one came for. */
  readonly packetId: string
  readonly thread: ResultOf<'cacp/context/getThread'>
  /** How many more can be shown, of those between the first packet and the others. */
  readonly next: number
  more(): void
  readonly act: string | undefined
  /** The form that is there as long as the address names none; default: the reply. */
  readonly usual?: string | undefined
  acted(): void
}

/** Most contracts that are named. */
const MOST_NAMED = 5

function ContractLink({ projectId, contractId }: { projectId: string; contractId: string }) {
  const { value } = useCall('cacp/contract/get', { projectId, contractId }, { kinds: [] })
  return (
    <Link to={{ screen: 'contract', ids: [projectId, contractId] }}>
      the contract {value !== undefined && <Quoted text={value.name} most={80} />}
    </Link>
  )
}

/** What was said, in order of time, and what can be said now. */
export function Conversation(props: ConversationProps) {
  const { projectId, packetId, thread, next, more, usual, acted } = props
  const act = props.act ?? usual
  const { thread: packets, left = 0 } = thread
  const overview = useCall('cacp/project/overview', { projectId }, { kinds: ['project', 'repo'], projectId })
  const repos = overview.value?.projects[0]?.repos ?? []
  const ownRepo = repos.find(({ agentId }) => agentId === session.value?.agentId)?.repoId
  const [first] = packets
  const question = first?.type === 'question' ? first : undefined
  const related = [...new Set(packets.flatMap(({ related_contracts }) => related_contracts))]
  const content = question?.content as JsonFields | undefined
  const offered = content?.['options']
  const options = Array.isArray(offered) ? offered.filter((option) => typeof option === 'string') : []
  const talk = { projectId, relatedContracts: related, acted }
  return (
    <div class="conversation">
      <ol class="thread">
        {packets.map((packet, index) => (
          <li key={packet.packet_id} class={packet.packet_id === packetId ? 'asked-for' : undefined}>
            <Told
              icon={<PacketIcon type={packet.type} />}
              did={packetDid(packet.type, packet.reply_to !== null)}
              repo={nameOf(repos, packet.from_repo)}
              by={packet.by}
              isOwn={packet.from_repo === ownRepo}
              at={packet.timestamp}
            >
              <PacketBody type={packet.type} content={packet.content as JsonFields} />
            </Told>
            {index === 0 && left > 0 && <Between left={left} next={next} more={more} />}
          </li>
        ))}
      </ol>
      {related.length > 0 && (
        <p>
          About{' '}
          {related.slice(0, MOST_NAMED).map((contractId) => (
            <ContractLink key={contractId} projectId={projectId} contractId={contractId} />
          ))}
          {related.length > MOST_NAMED && ` and ${related.length - MOST_NAMED} more`}
        </p>
      )}
      {act === 'file' ? (
        <ShareFileForm {...talk} replyTo={packetId} />
      ) : act === 'decide' ? (
        <DecideForm
          {...talk}
          replyTo={first?.packet_id ?? packetId}
          decision={typeof content?.['question'] === 'string' ? content['question'] : ''}
          options={options}
          isOpen={props.act !== undefined}
        />
      ) : (
        <ReplyForm
          {...talk}
          replyTo={packets.at(-1)?.packet_id ?? packetId}
          options={question && options}
          isOpen={act === 'reply'}
        />
      )}
      <div class="more-acts">
        <OpenButton act="decide" open={act} icon="check">
          Record a decision
        </OpenButton>
        <OpenButton act="file" open={act} icon="file">
          {content?.['wants'] === 'file' ? 'Share the file that is wanted' : 'Share a file'}
        </OpenButton>
      </div>
    </div>
  )
}

interface BetweenProps extends Pick<ConversationProps, 'next' | 'more'> {
  readonly left: number
}

/** What is left out of a long conversation. */
function Between({ left, next, more }: BetweenProps) {
  const count = figure(left)
  if (next > 0)
    return (
      <button type="button" onClick={more}>
        Show {next} of the {count} in between
      </button>
    )
  return (
    <p class="quiet">
      {count} in between are not shown; <code>cacpd context get-thread</code> has all of them.
    </p>
  )
}
