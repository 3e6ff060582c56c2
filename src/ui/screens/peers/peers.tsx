import { useCall } from '../../call/use-call.ts'
import { Answer, Empty } from '../../frame/answer.tsx'
import { usePageTitle } from '../../frame/count.ts'
import { Part } from '../../frame/part.tsx'
import { useSome } from '../../list/use-some.tsx'
import type { ScreenProps } from '../../router/route.ts'
import { AccessLog } from './access-log.tsx'
import { inOrder, PEERS_LIVE, type Peer } from './health.ts'
import { InviteButton } from './invite-button.tsx'
import { Invites } from './invites.tsx'
import { OnHub } from './on-hub.tsx'
import { OwnDaemon } from './own-daemon.tsx'
import { PeerPage } from './peer-page.tsx'
import { PeerRow } from './peer-row.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

/** Who is connected, who is behind, and why; or everything about one peer. */
export function Peers({ route }: ScreenProps) {
  const [agentId] = route.ids
  usePageTitle('Peers')
  return agentId === undefined ? <AllPeers query={route.query} /> : <PeerPage agentId={agentId} />
}

function AllPeers({ query }: Pick<ScreenProps['route'], 'query'>) {
  const peers = useCall('cacp/peer/list', {}, PEERS_LIVE)
  const asking = peers.value?.peers.filter(({ trust }) => trust === 'pending').length ?? 0
  return (
    <div class="screen">
      <header class="screen-heading">
        <h1>Peers</h1>
        <InviteButton />
      </header>
      <Part title="Other daemons">
        {asking > 0 && (
          <p class="banner" role="status">
            {asking === 1 ? 'One daemon asks' : `${asking} daemons ask`} to be let in.
          </p>
        )}
        <Answer
          of={peers}
          empty={(found) =>
            found.peers.length === 0 && (
              <Empty title="No other repository yet">
                <p>
                  Make an invite here or with <code>cacpd invite</code>, and use it at the other daemon with{' '}
                  <code>cacpd join URL</code>.
                </p>
              </Empty>
            )
          }
        >
          {(found) => <PeerRows peers={inOrder(found.peers)} />}
        </Answer>
        <OnHub agents={peers.value?.onHub ?? []} />
      </Part>
      <OwnDaemon />
      <Invites />
      <Tokens />
      <Sessions />
      <AccessLog isAll={query['log'] === 'all'} />
    </div>
  )
}

const PAGE = 40

function PeerRows({ peers }: { readonly peers: readonly Peer[] }) {
  const { some, more } = useSome(peers, PAGE)
  return (
    <>
      <ul class="peer-rows">
        {some.map((peer) => (
          <PeerRow key={peer.agentId} peer={peer} />
        ))}
      </ul>
      {more}
    </>
  )
}
