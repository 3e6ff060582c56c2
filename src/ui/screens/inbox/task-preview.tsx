import { useCall } from '../../call/use-call.ts'
import { ActButton } from '../../form/act-button.tsx'
import { CallPreview } from '../../form/call-preview.tsx'
import { Answer } from '../../frame/answer.tsx'
import { Link } from '../../router/link.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { HowItIs } from '../peers/how-it-is.tsx'
import { Identity, PeerActs } from '../peers/peer-acts.tsx'
import { SettleClaims } from '../peers/settle-claims.tsx'
import type { AgentItem, Task } from './rows.ts'

/** What is about this daemon, a peer or a project: who caused it, and what to do about it. */
export function TaskPreview({ task }: { readonly task: Task | AgentItem }) {
  const { from, next } = task
  const fix = 'fix' in task ? task.fix : undefined
  return (
    <div class="panel">
      {from !== undefined && from.repo !== '' && task.kind !== 'approve_peer' && (
        <p>
          From <Quoted text={from.repo} most={60} />, {TRUST_WORDS[from.trust]}
        </p>
      )}
      {task.kind === 'approve_peer' && <NewPeer agentId={from?.agentId ?? ''} />}
      <ClaimActs task={task} />
      {fix !== undefined && (
        <p>
          <Foreign text={fix} />.
        </p>
      )}
      {next !== undefined && task.kind !== 'approve_peer' && (
        <>
          <p>
            The call that does it
            {next.fill === undefined ? '' : `; what has to be filled in: ${next.fill.join(', ')}`}
          </p>
          <CallPreview call={next} isOpen />
        </>
      )}
    </div>
  )
}

/** Who holds a repository is for people to say. */
function ClaimActs({ task: { kind, next } }: { readonly task: Task | AgentItem }) {
  const { projectId, repoName } = next?.params ?? {}
  if (typeof projectId !== 'string' || typeof repoName !== 'string') return null
  if (kind === 'settle_claims') return <SettleClaims projectId={projectId} repoName={repoName} />
  if (kind !== 'claim_lost') return null
  return (
    <ActButton
      method="cacp/repo/release"
      params={{ projectId, repoName }}
      verb="Release"
      name={repoName}
      isGrave
    >
      <p>This repository’s claim is taken back. What was said under it stays; it may join again.</p>
    </ActButton>
  )
}

const TRUST_WORDS = {
  own: 'the agent of this daemon',
  approved: 'an approved peer',
  pending: 'not let in yet',
  revoked: 'revoked here',
  unknown: 'no peer of this daemon',
} as const

/** How it is now, by what a person can tell who asks to be let in, and the answer. */
function NewPeer({ agentId }: { readonly agentId: string }) {
  const peers = useCall('cacp/peer/list', {}, { local: ['peers'], everySeconds: 5 })
  return (
    <Answer of={peers}>
      {(value) => {
        const peer = value.peers.find((one) => one.agentId === agentId)
        if (peer === undefined) return <p>It is no peer of this daemon any more.</p>
        return (
          <>
            <HowItIs peer={peer} />
            <Identity peer={peer} />
            <div class="buttons">
              <PeerActs peer={peer} isShort />
            </div>
            <p>
              <Link to={{ screen: 'peers', ids: [agentId] }}>See it among the peers</Link>
            </p>
          </>
        )
      }}
    </Answer>
  )
}
