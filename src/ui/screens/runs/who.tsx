import { useCall } from '../../call/use-call.ts'
import { session } from '../../session/session.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { PEERS_LIVE } from '../peers/health.ts'

/** An agent, by the repository that it is known to speak for here. */
export function Who({ agentId }: { readonly agentId: string }) {
  const peers = useCall('cacp/peer/list', {}, PEERS_LIVE)
  if (agentId === session.value?.agentId) return <span title={agentId}>this repository</span>
  const peer = peers.value?.peers.find((one) => one.agentId === agentId)
  return peer === undefined || peer.repoName === '' ? (
    <Foreign text={agentId} />
  ) : (
    <span title={agentId}>
      <Quoted text={peer.repoName} />
    </span>
  )
}
