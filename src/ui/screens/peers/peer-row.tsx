import { nameOf } from '../../../domain/peers/peer-health.ts'
import { Icon } from '../../frame/icon.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { Told } from '../../text/told.tsx'
import { healthOf, type Peer, remarksOn } from './health.ts'
import { HowItIs } from './how-it-is.tsx'
import { PeerActs } from './peer-acts.tsx'

/** A peer in short: how it is, why, and what can be done. */
export function PeerRow({ peer }: { readonly peer: Peer }) {
  const { agentId, endpoint, behind, lastSeen, trust, callsItself } = peer
  const health = healthOf(peer)
  const remarks = remarksOn(peer)
  return (
    <li class={`peer ${trust}`}>
      <div class="peer-who">
        <h3>
          <Link to={{ screen: 'peers', ids: [agentId] }}>
            <Quoted text={nameOf(peer)} />
          </Link>
        </h3>
        {callsItself !== null && (
          <p class="quiet">
            calls itself <Quoted text={callsItself} />
          </p>
        )}
        <p class="quiet">
          {trust}, <Foreign text={endpoint} />
        </p>
      </div>
      <div class="peer-how">
        <HowItIs peer={peer} />
        {health.next !== null && <p class="quiet">{health.next}</p>}
        {remarks.map(({ text, next }, index) => (
          <p key={index} class="remark">
            <Icon name="warning" />
            <span>
              <Told of={text} />. {next}
            </span>
          </p>
        ))}
      </div>
      <dl class="peer-figures">
        {behind !== null && (
          <div>
            <dt>Behind</dt>
            <dd>{figure(behind)}</dd>
          </div>
        )}
        <div>
          <dt>Last seen</dt>
          <dd>{lastSeen === null ? 'never' : <Ago at={lastSeen} />}</dd>
        </div>
      </dl>
      <div class="buttons">
        <PeerActs peer={peer} isShort />
      </div>
    </li>
  )
}
