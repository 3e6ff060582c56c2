import type { AgentOnHub } from '../../../methods/peers/peer.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Ago } from '../../text/ago.tsx'
import { Foreign, Quoted } from '../../text/foreign.tsx'

/** Agents on the hub that were not let in yet. */
export function OnHub({ agents }: { readonly agents: readonly AgentOnHub[] }) {
  if (agents.length === 0) return null
  return (
    <>
      <h3>On the hub, not approved here</h3>
      <ul class="peer-rows">
        {agents.map(({ agentId, repoName, fingerprint, lastSeen }) => (
          <li key={agentId} class="peer">
            <div class="peer-who">
              <Quoted text={repoName} />
              <p class="quiet">
                <Foreign text={agentId} />
              </p>
            </div>
            <p class="peer-how">
              <strong>{fingerprint}</strong>, <Ago at={lastSeen} />
            </p>
            <ActButton method="cacp/peer/approve" verb="Approve" name={repoName} params={{ agentId }}>
              <p>
                It may give work here, over the hub. Whoever runs it must see the same six words:{' '}
                <strong>{fingerprint}</strong>.
              </p>
            </ActButton>
          </li>
        ))}
      </ul>
    </>
  )
}
