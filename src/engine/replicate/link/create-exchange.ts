import type { Peer } from '../../../domain/model.ts'
import { SYNC_FORMAT } from '../../../methods/peers/replication.ts'
import type { Dispatch } from '../../dispatch/dispatch.ts'
import type { PeerClient } from '../../ports/ports.ts'
import { type CacpdExchangeDeps, createCacpdExchange } from '../cacpd/exchange.ts'
import { createConversation } from '../peer/conversation.ts'
import { createPlainConversation } from '../plain/conversation.ts'
import { PlainExchange, type PlainExchangeDeps } from '../plain/exchange.ts'
import { createPlainPull } from '../plain/pull.ts'
import { createPlainPush } from '../plain/push.ts'
import type { Exchange } from './exchange.ts'
import type { LinkDeps } from './link.ts'

type Together = CacpdExchangeDeps & PlainExchangeDeps

interface ExchangeCreatorDeps
  extends Omit<Together, 'peer' | 'conversation' | 'pull' | 'sender' | 'wake' | 'bootId' | 'repairSoon'> {
  client: PeerClient
  /** For what was fetched. */
  dispatch: Dispatch
  bootId(): string
  compareSoon(agentId: string): void
}

/** The card of a peer says whether it is one of ours or one that knows the document alone. */
export function exchangeCreator(deps: ExchangeCreatorDeps): LinkDeps['createExchange'] {
  const { client, self, rules, dispatch, compareSoon } = deps
  const reached = ({ endpoint, agent_id: agentId }: Peer) => ({
    client,
    endpoint,
    agentId,
    millis: rules.callMillis,
  })

  const withPlain = (peer: Peer, wake: () => void): Exchange => {
    const common = { ...deps, peer, conversation: createPlainConversation({ ...reached(peer), self }) }
    const pull = createPlainPull({ ...common, dispatch })
    return new PlainExchange({ ...common, pull, sender: createPlainPush({ ...common, pull }), wake })
  }

  const withCacpd = (peer: Peer): Exchange =>
    createCacpdExchange({
      ...deps,
      peer,
      conversation: createConversation(reached(peer)),
      bootId: deps.bootId(),
      repairSoon: () => compareSoon(peer.agent_id),
    })

  return (peer, { syncFormat }, wake) =>
    syncFormat === SYNC_FORMAT ? withCacpd(peer) : withPlain(peer, wake)
}
