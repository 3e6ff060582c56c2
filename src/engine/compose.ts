import type { AnyMethod } from '../methods/row.ts'
import type { Runs, Works } from '../methods/runs/service.ts'
import type { Services, UiSessionList } from '../methods/services.ts'
import { type AdpAccess, createDiscovery } from './adp/discovery.ts'
import { createAnswer } from './dispatch/answer-call.ts'
import { createAudit } from './dispatch/audit.ts'
import { createDispatch, type Dispatch, tableOf } from './dispatch/dispatch.ts'
import { createRetryOnArrival } from './dispatch/retry-on-arrival.ts'
import { startCollectingFiles } from './files/collector.ts'
import { createFileFinder } from './files/finder.ts'
import { createFileIntake } from './files/intake.ts'
import { FILE_RULES, type FileRules } from './files/rules.ts'
import { createHubDesk, type HubCalls } from './hub/hub-desk.ts'
import { createHubSetup } from './hub/hub-setup.ts'
import { ChangeLog } from './log/change-log.ts'
import type { Parts } from './parts.ts'
import { toApprovedOnly } from './peers/approved-only.ts'
import { ClockAheadRepair, type ClockAheadRepairDeps } from './peers/clock-ahead-repair.ts'
import { confirmClaimsOnArrival } from './peers/founder.ts'
import { createIdentityKeeper } from './peers/identity-keeper.ts'
import { createInvitedRepoCheck, stateNewEndpoint } from './peers/own-voice.ts'
import { createPairing } from './peers/pairing.ts'
import { createPeers } from './peers/peers.ts'
import { createProjectTokens } from './peers/project-tokens.ts'
import type { Hub, HubPlace } from './ports/hub.ts'
import type { AuditTrail, FetchFile, RepositoryFiles } from './ports/ports.ts'
import { createOwnTrees, NO_TREES } from './proof/own-trees.ts'
import { Digests } from './replicate/cacpd/digests.ts'
import { createRepair } from './replicate/cacpd/repair.ts'
import { createReplica } from './replicate/cacpd/replica.ts'
import { StatementLog } from './replicate/cacpd/statement-log.ts'
import { StatementTexts } from './replicate/cacpd/statement-texts.ts'
import { createHubSwitch } from './replicate/hub/lane.ts'
import { HUB_SENDER } from './replicate/hub/reader.ts'
import { Heard } from './replicate/intake/heard.ts'
import { createIntake } from './replicate/intake/intake.ts'
import { exchangeCreator } from './replicate/link/create-exchange.ts'
import type { Exchange } from './replicate/link/exchange.ts'
import { inSlices } from './replicate/link/in-slices.ts'
import { createLink, type LinkDeps } from './replicate/link/link.ts'
import { Refusals } from './replicate/link/refusals.ts'
import { createNoteAbout } from './replicate/peer/about.ts'
import { createBootIds } from './replicate/peer/boot-ids.ts'
import { createReadByCard } from './replicate/peer/card-reader.ts'
import { Clocks } from './replicate/peer/clocks.ts'
import { createDoubtIdentity } from './replicate/peer/pinned-identity.ts'
import { createReplicator, type Replicator } from './replicate/replicator.ts'
import { SearchIndex } from './search/search-index.ts'
import { createSeat } from './seat/create-seat.ts'
import { createLocalChanges, type LocalChanges } from './seat/local-changes.ts'
import { createOutbox } from './seat/outbox.ts'
import { createPersonDesk } from './seat/person.ts'
import { createReceipts } from './seat/receipts.ts'
import { SEAT_RULES, type SeatRules } from './seat/rules.ts'
import { createSearch } from './seat/search.ts'
import { type Background, createBackground } from './timing/background-tasks.ts'
import { pauseBy } from './timing/pause.ts'
import { NO_RUNS, NO_WORKS } from './work/no-works.ts'

/** The ports of the engine, and what is made of them before it where others need it too. */
interface EngineDeps
  extends Pick<Parts, 'self' | 'store' | 'files' | 'clock' | 'timers' | 'random' | 'client' | 'identity'>,
    Pick<Parts, 'verify' | 'verifyText' | 'newSecret' | 'rules' | 'failed'> {
  methods: readonly AnyMethod[]
  /** Left out where no exchange is configured. */
  adp?: AdpAccess | undefined
  /** Left out where no hub is configured. */
  hub?: Hub | undefined
  /** Left out where the settings of this daemon are kept nowhere, as in simulations. */
  hubPlace?: HubPlace | undefined
  /** Left out where daemons do not call each other over a hub, as in simulations. */
  hubCalls?: HubCalls | undefined
  /** What the agent of this daemon can do, as its card on the hub tells. */
  capabilities?: readonly string[]
  /** Called when the key of this daemon was replaced. */
  onRotated?: (() => void) | undefined
  /** Called when a peer was shut out. */
  onShutOut?: (() => void) | undefined
  /** Left out where no audit trail is kept, as in simulations. */
  trail?: AuditTrail
  /** Left out where the daemon runs for no repository, as in simulations. */
  repositoryFiles?: RepositoryFiles | undefined
  /** How often those are looked at without a reason. */
  treeMillis?: number
  /** Left out where daemons serve no files to each other, as in simulations. */
  fetchFile?: FetchFile
  /** The limits of files; without them the defaults hold, and no file is ever removed, as in simulations. */
  fileRules?: FileRules
  /** The limits of the services for agents; the defaults if left out. */
  seatRules?: SeatRules
  /** Made from the store if left out. */
  log?: ChangeLog
  /** Made here if left out: where runs and work tell what changes about them. */
  local?: LocalChanges
  /** An index over the same log; made here if left out. */
  index?: SearchIndex
  /** The endpoint of this daemon at its last start, which may have been another one. */
  movedFrom?: string | undefined
  /** Whether daemons that only registered, without pairing, are accepted. */
  isOpen?: boolean | undefined
  onClockRepaired?: ClockAheadRepairDeps['onClockRepaired']
  /** Left out where no person comes with a browser, as in simulations. */
  uiSessions?: UiSessionList
  /** Left out where this daemon runs no agent. */
  runs?: Runs
  /** Left out where no work is delegated. */
  works?: (dispatch: Dispatch) => Works
  /** Wraps the exchanges; for simulations. */
  wrapExchange?: (exchange: Exchange) => Exchange
}

export type Engine = ReturnType<typeof createEngine>

/** Puts the engine together: dispatch, and the replicator that follows what it commits. */
export function createEngine(deps: EngineDeps) {
  const { store, identity, clock, timers, rules, failed } = deps
  const { fileRules = FILE_RULES, trail = NO_TRAIL, wrapExchange = (exchange) => exchange } = deps
  const { view } = store
  const client = toApprovedOnly(deps.client, view)
  const log = deps.log ?? new ChangeLog(store.statements())
  const pause = pauseBy(timers)
  const local = deps.local ?? createLocalChanges(timers)
  const statements = new StatementLog(store.statements(), view)
  const digests = new Digests(statements, view, pause)
  const startId = clock.newId()
  // A new key changes this id, so that peers read our card again.
  const bootId = () => `${startId}.${identity.keyId}`
  const refusals = new Refusals(clock)
  const heard = new Heard()
  const clocks = new Clocks()
  const bootIds = createBootIds({ now: clock.now, millis: rules.twiceMillis })
  const audit = createAudit({ trail, clock })
  /** Each part takes of these what its own deps name. */
  const parts = { ...deps, client, view, log, pause, statements, digests, refusals, heard, clocks, bootIds }
  const intake = createIntake({ ...parts, noteTaken: audit.taken })
  const repair = createRepair({ ...parts, intake })

  const createExchange = exchangeCreator({
    ...parts,
    repair,
    bootId,
    texts: new StatementTexts(),
    dispatch: inSlices((call) => dispatch(call), pause),
    compareSoon: (agentId) => replicator.compareSoon(agentId),
  })
  // A claim that came with a rotation is by a key that was not pinned then.
  const onPinned = () => checkClaims()
  const links: LinkDeps = {
    ...parts,
    onHealth: (agentId) => local.note('peers', agentId),
    doubtIdentity: createDoubtIdentity({ ...parts, onPinned }),
    readByCard: createReadByCard({
      ...parts,
      meet: (peer) => replicator.meet(peer),
      // Not awaited: the link that calls this is the one that ends.
      part: (agentId) => void replicator.part(agentId),
    }),
    noteAbout: createNoteAbout(store),
    createExchange: (peer, card, wake) => wrapExchange(createExchange(peer, card, wake)),
  }
  const replicator: Replicator = createReplicator({ ...parts, createLink: (peer) => createLink(links, peer) })
  const hub = createHubSwitch({ ...parts, intake, onHealth: () => local.note('peers', HUB_SENDER) })
  const hubDesk = createHubDesk({ ...parts, bootId, onPinned })
  const { directory, shelf } = hubDesk
  const useHub = (next: Hub | undefined) => hub.use(next && hubDesk.over(next))
  const seatRules = deps.seatRules ?? SEAT_RULES
  const seat = createSeat({ ...parts, rules: seatRules })
  store.onDurable((changes) => log.record(changes))
  store.onDurable((changes) => statements.record(changes))
  store.onDurable(() => replicator.wake())
  store.onDurable((changes) => hub.wake(changes))
  store.onDurable((changes) => shelf.note(changes))
  for (const listener of seat.listeners) store.onDurable(listener)
  store.onLocal(local.noteStored)
  const index = deps.index ?? new SearchIndex(parts)
  let background: Background | undefined
  const peers = createPeers({ ...parts, replicator, intake, directory })
  const runs = deps.runs ?? NO_RUNS
  const tokens = createProjectTokens(parts)
  const identityKeeper = createIdentityKeeper({
    ...parts,
    replicator,
    onRotated: () => {
      deps.onRotated?.()
      return hubDesk.showNewKey()
    },
  })
  const checkAllClaims = confirmClaimsOnArrival({ ...parts, isOpen: deps.isOpen ?? false })
  const clockAheadRepair = new ClockAheadRepair(parts)
  const takeUpInvites = createInvitedRepoCheck(parts)
  const checkClaims = () => {
    checkAllClaims()
    takeUpInvites()
  }
  const { repositoryFiles, treeMillis = 60_000 } = deps
  const trees =
    repositoryFiles === undefined
      ? NO_TREES
      : createOwnTrees({ ...parts, repositoryFiles, everyMillis: treeMillis })
  const services: Services = {
    ...seat.services,
    tokens,
    uiSessions: deps.uiSessions ?? NO_UI_SESSIONS,
    replica: createReplica({ ...parts, intake }),
    hub: hubDesk.alsoTelling(hub),
    hubSetup: createHubSetup({ timers, hubPlace: deps.hubPlace, use: useHub }),
    peers,
    pairing: createPairing({ ...parts, replicator, onPaired: checkClaims }),
    audit: trail,
    identity: identityKeeper,
    discovery: createDiscovery({ ...parts, peers, millis: rules.callMillis }),
    trees,
    files: createFileFinder({
      ...parts,
      intake: createFileIntake({ ...parts, ...fileRules }),
      peers: peers.list,
      onHub: shelf.get,
      millis: rules.callMillis,
    }),
    runs,
    works: deps.works?.((call) => dispatch(call)) ?? NO_WORKS,
    outbox: createOutbox({ view, log, report: (agentId) => replicator.report(agentId) }),
    search: createSearch({ store, index }),
    local,
    person: createPersonDesk({ ...seatRules, store, inbox: seat.services.inbox, peers, runs }),
  }
  const collecting = deps.fileRules && startCollectingFiles(timers, { ...parts, ...fileRules })
  const patience = createRetryOnArrival({ store, timers, millis: rules.arrivalMillis })
  const receipts = createReceipts({ ...parts, everyMillis: rules.receiptEveryMillis })
  const answer = audit.watch(createAnswer({ ...parts, services, bootId, patience, noteShown: receipts.note }))
  const methods = tableOf(deps.methods)
  const dispatch = createDispatch(methods, answer)
  return {
    methods,
    /** Answers a call whose method was found in the table. */
    answer,
    dispatch,
    services,
    audit,
    readToken: tokens.read,
    /** Completes what a crash interrupted. To be called before anybody is served. */
    begin: (): Promise<void> =>
      identityKeeper
        .finish()
        .then(() => clockAheadRepair.begin())
        .then(() => stateNewEndpoint(deps))
        .then(checkClaims)
        .then(() => useHub(deps.hub)),
    /** Builds the indexes that the first callers would have to wait for, in this share of the time, from 0 to 1. */
    warmUp(share: number): void {
      if (share === 0) return
      const work = createBackground(timers, share)
      background = work
      // The inbox first, because it is asked for first and is built faster.
      const done = seat.warmUp(work).then(() => index.warmUp(work))
      done.catch((error: unknown) => failed?.(error))
    },
    /** Ends all calls that wait for a change. */
    endWaiting: seat.close,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      background?.end()
      seat.close()
      for (const part of [clockAheadRepair, trees, collecting, receipts, replicator, hub])
        await part?.[Symbol.asyncDispose]()
    },
  }
}

const NO_UI_SESSIONS: UiSessionList = { list: () => [], end: async () => [] }
const NO_TRAIL: AuditTrail = { record: () => {}, list: async () => [] }
