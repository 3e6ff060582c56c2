import type { Self } from '../domain/env.ts'
import type { Peer } from '../domain/model.ts'
import { SYNC_FORMAT } from '../methods/replication.ts'
import type { AnyMethod } from '../methods/row.ts'
import type { Runs } from '../methods/runs-service.ts'
import type { Services } from '../methods/services.ts'
import type { Works } from '../methods/work-service.ts'
import { Fault } from '../protocol/fault.ts'
import { ChangeLog } from './change-log.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { FileFinder } from './file-finder.ts'
import { createPeers } from './peers.ts'
import type { Clock, FetchFile, Files, PeerClient, Random, Store, Timers } from './ports.ts'
import { CacpdExchange } from './replicate/cacpd-exchange.ts'
import { Conversation } from './replicate/conversation.ts'
import { Digests } from './replicate/digests.ts'
import type { Exchange } from './replicate/exchange.ts'
import { HandoverTexts } from './replicate/handover-texts.ts'
import { Link } from './replicate/link.ts'
import { PlainConversation } from './replicate/plain-conversation.ts'
import { PlainExchange } from './replicate/plain-exchange.ts'
import { PlainPull } from './replicate/plain-pull.ts'
import { PlainPush } from './replicate/plain-push.ts'
import { Repair } from './replicate/repair.ts'
import { createReplica } from './replicate/replica.ts'
import { Replicator } from './replicate/replicator.ts'
import type { ReplicationRules } from './replicate/rules.ts'
import { NO_RUNS } from './runs/no-runs.ts'
import { NO_WORKS } from './work/no-works.ts'

export interface EngineDeps {
  methods: readonly AnyMethod[]
  self: Self
  store: Store
  files: Files
  clock: Clock
  timers: Timers
  random: Random
  client: PeerClient
  /** Left out where daemons serve no files to each other, as in simulations. */
  fetchFile?: FetchFile
  rules: ReplicationRules
  /** What changed so far; left out, it is taken from the store. */
  log?: ChangeLog
  /** Left out where nobody can be asked for anything. */
  runs?: Runs
  /** Left out where no work is given to others. */
  works?: (dispatch: Dispatch) => Works
  /** Puts something else in the place of an exchange; for simulations. */
  wrapExchange?: (exchange: Exchange) => Exchange
}

export interface Engine extends AsyncDisposable {
  readonly dispatch: Dispatch
  readonly services: Services
}

/** Puts the engine together: dispatch, and the replicator that follows what it commits. */
export function createEngine(deps: EngineDeps): Engine {
  const { self, store, client, clock, timers, random, rules, wrapExchange = (exchange) => exchange } = deps
  const { view } = store
  const log = deps.log ?? new ChangeLog(store.changes())
  const digests = new Digests(log, () => new Promise((resolve) => timers.after(0, resolve)))
  const texts = new HandoverTexts(self.agentId)
  const life = clock.newId()
  const repair = new Repair({ digests, log, view, rules, dispatch: (call) => dispatch(call) })

  const createPlain = (peer: Peer, wake: () => void): Exchange => {
    const conversation = new PlainConversation({
      client,
      endpoint: peer.endpoint,
      self,
      millis: rules.callMillis,
    })
    const common = { peer, conversation, view, store }
    const pull = new PlainPull({ ...common, dispatch: (call) => dispatch(call) })
    const sender = new PlainPush({ ...common, pull })
    return new PlainExchange({ ...common, pull, sender, log, clock, timers, rules, wake })
  }

  const replicator = new Replicator({
    log,
    view,
    timers,
    random,
    rules,
    createLink: (first) =>
      new Link(
        {
          client,
          clock,
          timers,
          random,
          rules,
          createExchange: (peer, card, wake) => {
            if (card.syncFormat !== SYNC_FORMAT) return wrapExchange(createPlain(peer, wake))
            const conversation = new Conversation({
              client,
              endpoint: peer.endpoint,
              millis: rules.callMillis,
            })
            return wrapExchange(
              new CacpdExchange({
                self,
                peer,
                conversation,
                log,
                view,
                store,
                texts,
                repair,
                clock,
                timers,
                rules,
                life,
                wake,
              }),
            )
          },
        },
        first,
      ),
  })
  store.onDurable((changes) => {
    log.record(changes)
    replicator.wake()
  })
  const peers = createPeers({ self, store, log, client, replicator, rules })
  const services: Services = {
    replica: createReplica(digests, view),
    peers,
    files: new FileFinder({
      files: deps.files,
      view,
      peers: peers.list,
      fetchFile: deps.fetchFile ?? fetchNothing,
      millis: rules.callMillis,
    }),
    runs: deps.runs ?? NO_RUNS,
    works: deps.works?.((call) => dispatch(call)) ?? NO_WORKS,
  }
  const dispatch = createDispatch({ ...deps, services })
  return { dispatch, services, [Symbol.asyncDispose]: () => replicator[Symbol.asyncDispose]() }
}

const fetchNothing: FetchFile = () => {
  throw new Fault('not_found', 'Files are not fetched here')
}
