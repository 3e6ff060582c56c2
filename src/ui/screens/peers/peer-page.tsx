import { nameOf } from '../../../domain/peers/peer-health.ts'
import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { Fact } from '../../frame/facts.tsx'
import { Part } from '../../frame/part.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { Told } from '../../text/told.tsx'
import { AuditTable } from './audit-table.tsx'
import { healthOf, PEERS_LIVE, type Peer, remarksOn } from './health.ts'
import { NotThere } from './not-there.tsx'
import { Identity, PeerActs } from './peer-acts.tsx'
import { SettleClaims } from './settle-claims.tsx'

/** Everything about one peer. */
export function PeerPage({ agentId }: { readonly agentId: string }) {
  const peers = useCall('cacp/peer/list', {}, PEERS_LIVE)
  return (
    <div class="screen">
      <p>
        <Link to={{ screen: 'peers' }}>All peers</Link>
      </p>
      <Answer
        of={peers}
        empty={(found) =>
          found.peers.every((peer) => peer.agentId !== agentId) && (
            <>
              <h1>Peer</h1>
              <Empty title="There is no such peer any more">
                <p>
                  <Foreign text={agentId} />
                </p>
              </Empty>
            </>
          )
        }
      >
        {(found) => {
          const peer = found.peers.find((one) => one.agentId === agentId)
          return peer === undefined ? null : <OnePeer peer={peer} />
        }}
      </Answer>
    </div>
  )
}

function OnePeer({ peer }: { readonly peer: Peer }) {
  const health = healthOf(peer)
  const { aside, refused } = peer
  return (
    <>
      <header class="screen-heading">
        <h1>
          <Quoted text={nameOf(peer)} />
        </h1>
        <div class="buttons">
          <PeerActs peer={peer} />
        </div>
      </header>
      <section class="part panel" aria-label="How it is">
        <p>
          <Tag said={health} /> <Told of={health.reason} most={1000} />
        </p>
        {health.next !== null && <p>{health.next}</p>}
        {remarksOn(peer).map(({ text, next }, index) => (
          <p key={index} class="banner">
            <Told of={text} />. {next}
          </p>
        ))}
        <PeerFacts peer={peer} />
      </section>
      {peer.trust === 'approved' && <NotThere to={peer.agentId} />}
      {aside.length > 0 && (
        <Reasons
          title="What it would not take"
          rows={aside.map(({ key, ...one }) => ({ ...one, id: key }))}
        />
      )}
      {refused.count > 0 && <Reasons title="Refused from it" rows={refused.newest.toReversed()} />}
      <WhatItHolds agentId={peer.agentId} />
      <WhatItDid agentId={peer.agentId} />
    </>
  )
}

function PeerFacts({ peer }: { readonly peer: Peer }) {
  const { callsItself, trust, behind, lastSeen, clockSkewSeconds, breaker, failures } = peer
  return (
    <Identity peer={peer}>
      <Fact name="Trust">{trust}</Fact>
      <Fact name="Behind">
        {behind === null ? 'Nobody can tell, or nothing is sent to it' : figure(behind)}
      </Fact>
      <Fact name="Last seen">{lastSeen === null ? 'Never' : <Ago at={lastSeen} />}</Fact>
      <Fact name="Clock">
        {clockSkewSeconds === null
          ? 'Not measured yet'
          : `${signed(clockSkewSeconds)} s against the one here`}
      </Fact>
      {trust === 'approved' && (
        <>
          <Fact name="Circuit breaker">
            {breaker === 'closed' ? 'Closed: calls go through' : 'Open: calls pause before the next attempt'}
          </Fact>
          <Fact name="Failures in a row">{failures}</Fact>
        </>
      )}
      {callsItself !== null && (
        <Fact name="Calls itself">
          <Quoted text={callsItself} />
        </Fact>
      )}
    </Identity>
  )
}

const MOST_HELD = 50

const signed = (seconds: number): string => (seconds > 0 ? `+${seconds}` : String(seconds))

interface Reason {
  readonly id: string
  readonly reason: string
  readonly since: string
}

function Reasons({ title, rows }: { readonly title: string; readonly rows: readonly Reason[] }) {
  return (
    <Part title={title}>
      <ul class="rows">
        {rows.map(({ id, reason, since }) => (
          <li key={id} class="line-row">
            <Foreign text={id.slice(0, 80)} />
            <Quoted text={reason} most={500} />
            <Ago at={since} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function WhatItHolds({ agentId }: { readonly agentId: string }) {
  const { value } = useCall('cacp/project/overview', {}, { kinds: ['project', 'repo'] })
  const held = value?.projects.flatMap(({ projectId, name: project, repos }) =>
    repos.filter((repo) => repo.agentId === agentId).map(({ name }) => ({ projectId, project, name })),
  )
  if (held === undefined || held.length === 0) return null
  return (
    <Part title="What it speaks for">
      <ul class="rows">
        {held.slice(0, MOST_HELD).map(({ projectId, project, name }) => (
          <li key={`${projectId} ${name}`} class="line-row">
            <Quoted text={name} />
            <span class="quiet">
              in <Quoted text={project} />
            </span>
            <SettleClaims projectId={projectId} repoName={name} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

function WhatItDid({ agentId }: { readonly agentId: string }) {
  const log = useCall('cacp/audit/list', { agent: agentId, limit: 20 }, { kinds: [], everySeconds: 10 })
  return (
    <Part title="What it did here">
      <Answer
        of={log}
        empty={({ lines }) => lines.length === 0 && <p class="quiet">Nothing that left a trace.</p>}
      >
        {({ lines }) => <AuditTable lines={lines} />}
      </Answer>
    </Part>
  )
}
