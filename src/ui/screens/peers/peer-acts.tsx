import type { ComponentChildren } from 'preact'
import { nameOf } from '../../../domain/peers/peer-health.ts'
import { ActButton } from '../../form/act-button.tsx'
import { Fact, Facts } from '../../frame/facts.tsx'
import type { Peer } from './health.ts'

interface PeerActsProps {
  readonly peer: Peer
  /** Only what is wanted often; its own page has the rest. */
  readonly isShort?: boolean
}

/** What the operator can do about a peer. */
export function PeerActs({ peer, isShort = false }: PeerActsProps) {
  const { trust, agentId } = peer
  const named = { name: nameOf(peer), params: { agentId } }
  const remove = isShort ? null : (
    <ActButton method="cacp/peer/remove" verb="Remove" isGrave {...named}>
      <p>It is forgotten here: nothing is sent to it any more. What it said stays. It may register again.</p>
      <Identity peer={peer} />
    </ActButton>
  )
  if (trust === 'revoked') return remove
  return (
    <>
      {trust === 'pending' ? (
        <ActButton method="cacp/peer/approve" verb="Approve" isMain {...named}>
          <p>
            From then on it is sent what it may see. This gives no key and proves no name: whoever answers at
            this address gets it, and nothing that it sends is taken. With an invite both can send, and the
            name is proven.
          </p>
          <Identity peer={peer} />
        </ActButton>
      ) : (
        <>
          <ActButton method="cacp/peer/sync" verb="Sync now" {...named}>
            <p>Both daemons compare what they have, right now, and send each other what is missing.</p>
          </ActButton>
          {!isShort && (
            <ActButton method="cacp/peer/renew" verb="Renew key" {...named}>
              <p>
                It gets a new key to call here with. The old one goes on working until it uses the new one.
              </p>
              <Identity peer={peer} />
            </ActButton>
          )}
        </>
      )}
      <ActButton method="cacp/peer/revoke" verb="Revoke" isGrave isTyped {...named}>
        <p>
          It is shut out at once: any key of it stops working, and nothing is sent to it any more. What it
          has, it keeps. To let it in again takes a new invite.
        </p>
        <Identity peer={peer} />
      </ActButton>
      {remove}
    </>
  )
}

interface IdentityProps {
  readonly peer: Peer
  /** What else is known of it. */
  readonly children?: ComponentChildren
}

/** By what the person can tell that it is the right one. */
export function Identity({ peer: { endpoint, agentId, fingerprint }, children }: IdentityProps) {
  return (
    <Facts>
      <Fact name="Address" text={endpoint} />
      <Fact name="Agent ID" text={agentId} />
      <Fact name="Six words">
        {fingerprint === null ? (
          'None: it was never paired, so nothing proves its name.'
        ) : (
          <>
            <strong>{fingerprint}</strong> (the other side must see the same)
          </>
        )}
      </Fact>
      {children}
    </Facts>
  )
}
