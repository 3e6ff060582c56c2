import type { Logger } from 'pino'
import { hostHeadersOf, localUrl } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import { certificateFor, isBehindProxy, toBePinned } from '../config/exposure.ts'
import { agentCard } from '../describe/agent-card.ts'
import { describedMethods } from '../describe/openrpc.ts'
import type { Self } from '../domain/env.ts'
import { isShutOut } from '../domain/peers/refused-by-peer.ts'
import { createEngine } from '../engine/compose.ts'
import { ChangeLog } from '../engine/log/change-log.ts'
import { AccessWatch } from '../engine/peers/access-watch.ts'
import type { Clock, RotatingIdentity } from '../engine/ports/ports.ts'
import type { ReplicationRules } from '../engine/replicate/rules.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import { createLocalChanges } from '../engine/seat/local-changes.ts'
import { pauseBy } from '../engine/timing/pause.ts'
import type { WorkDesk } from '../engine/work/works.ts'
import { createA2aMethods } from '../http/dialects/a2a/a2a.ts'
import { dialectRoutes } from '../http/dialects/dialect-routes.ts'
import { createGuard } from '../http/guard/guard.ts'
import { createIdentify } from '../http/guard/identify.ts'
import { createRateLimits } from '../http/guard/rate-limits.ts'
import { createUnread } from '../http/reply/unread.ts'
import { routes, withOpenApi } from '../http/routes/routes.ts'
import { createRpcHandler } from '../http/rpc/rpc.ts'
import { createApp } from '../http/server/app.ts'
import { listen } from '../http/server/server.ts'
import { createLog, reportTo } from '../io/audit/log.ts'
import { openAuditTrail } from '../io/audit/trail.ts'
import { openIdentity } from '../io/identity/identity.ts'
import { newSecret } from '../io/identity/secret.ts'
import { verifySignature, verifyText } from '../io/identity/signature.ts'
import { createAgentWire } from '../io/outbound/agent-wire.ts'
import type { Resolve } from '../io/outbound/connector.ts'
import { createPeerClient } from '../io/outbound/peer-client.ts'
import { type PeerTargetOptions, rulesOfCall } from '../io/outbound/peer-target.ts'
import { ensureOperatorKey, portsToTry, readEndpoint, rememberEndpoint } from '../io/place/data-dir.ts'
import { createRepositoryFiles } from '../io/place/repository-files.ts'
import { checkedCapabilities } from '../io/runner/capability-checks.ts'
import type { Disk } from '../io/store/directory/disk.ts'
import { nodeDisk } from '../io/store/directory/node-disk.ts'
import { openStore } from '../io/store/open-store.ts'
import { systemClock } from '../io/system/clock.ts'
import { backgroundTimers, systemTimers } from '../io/system/timers.ts'
import { forgetRunning, rememberRunning } from '../io/ui/running-daemons.ts'
import { PAGE_FOLDER } from '../page-folder.ts'
import { VERSION } from '../version.ts'
import { openAdp } from './adp.ts'
import { runsOf, worksOf } from './agent-services.ts'
import { fileRules, replicationRules, seatRules } from './engine-rules.ts'
import { hubPlaceOf } from './hub.ts'
import { createHubCalls } from './hub-calls.ts'
import { ownEndpoint } from './own-endpoint.ts'
import { createUi } from './ui.ts'

export type Daemon = Awaited<ReturnType<typeof startDaemon>>

/** The store is opened first, so it is the last to stop. */
const STORE_ALONE = 1

/** What a test or a simulation replaces. */
export interface Overrides {
  clock?: Clock
  disk?: Disk
  log?: Logger
  rules?: ReplicationRules
  resolve?: Resolve
  /** Where the page that people see was built. */
  pageFolder?: string
}

/** The composition root: connects the engine with its implementations in io. */
export async function startDaemon(config: Config, overrides: Overrides = {}) {
  const {
    clock = systemClock,
    disk = nodeDisk,
    log = createLog(config.logLevel),
    rules = replicationRules(config),
    pageFolder = PAGE_FOLDER,
    resolve,
  } = overrides
  const { dataDir, host, repo, role, language, agentId } = config
  const startedAt = performance.now()
  const capabilities = await checkedCapabilities(config.capabilities)
  let identity: RotatingIdentity | undefined
  const sign = (id: string, keyId: string) =>
    identity?.signStatement(id, keyId) ?? Promise.reject(new TypeError('nothing is said before the start'))
  const { store, files } = await openStore({ ...config, directory: dataDir, disk, clock, log, sign })
  const toStop: (() => PromiseLike<void>)[] = [() => store[Symbol.asyncDispose]()]
  const stopAllBut = async (left: number) => {
    while (toStop.length > left) await toStop.pop()?.()
  }
  try {
    const operatorKey = await ensureOperatorKey(dataDir)
    const own = await openIdentity(dataDir, clock)
    identity = own
    const changes = new ChangeLog(store.statements())
    const report = reportTo(log)
    const index = new SearchIndex({ store, log: changes, pause: pauseBy(systemTimers), failed: report })
    const local = createLocalChanges(systemTimers)
    const accessWatch = new AccessWatch({
      timers: systemTimers,
      isShutOut: (caller) => isShutOut(caller, store.view, clock.now()),
    })
    const place = { store, index, accessWatch, local, disk, clock, log }
    const runs = await runsOf(config, place)
    const trail = await openAuditTrail({ directory: dataDir, clock, log, totalBytes: config.auditBytes })
    toStop.push(() => trail[Symbol.asyncDispose]())
    const certificate = await certificateFor(config)
    const before = await readEndpoint(dataDir)
    const door = await listen({ host, ports: await portsToTry(config), limits: config, tls: certificate })
    toStop.push(() => door.close(config.shutdownSeconds * 1000))
    const { port } = door
    const url = localUrl(host, port, certificate !== undefined)
    const self: Self = {
      agentId,
      repo,
      role,
      language,
      endpoint: config.publicUrl ?? url,
      storeId: store.id,
      signer: own,
      ...toBePinned(certificate, config),
    }

    const address = { url, port, certificate, operatorKey, pageFolder, resolve }
    const parts = { ...place, ...address, self, identity: own }
    const ui = createUi(config, parts)
    const { methods, openRpc } = describedMethods({ version: VERSION })
    const hubCalls = createHubCalls(parts)
    toStop.push(() => hubCalls.close())
    const outbound: PeerTargetOptions = {
      agentId,
      endpoint: self.endpoint,
      rulesFor: (to) => rulesOfCall(to, store.view),
      keyFor: (to) => store.view.credentials.get(to)?.key,
      askOnHub: hubCalls.asking.ask,
      resolve,
    }
    const client = createPeerClient(outbound)
    const adp = await openAdp(config, parts)
    if (adp !== undefined) toStop.push(() => adp[Symbol.asyncDispose]())
    const wire = createAgentWire(outbound)
    const hubPlace = hubPlaceOf(config)
    let works: WorkDesk | undefined
    const engine = createEngine({
      methods,
      self,
      movedFrom: before && (before.publicUrl ?? before.url),
      isOpen: config.open,
      store,
      files,
      clock,
      timers: systemTimers,
      random: Math.random,
      client,
      identity: own,
      verify: verifySignature,
      verifyText,
      trail,
      newSecret,
      adp: adp?.access,
      hub: config.hub === null ? undefined : hubPlace.hubOf(config.hub),
      hubPlace,
      hubCalls,
      capabilities: [language, role, ...capabilities.map(({ name }) => name)],
      onRotated: adp?.renew,
      onShutOut: () => accessWatch.look(),
      ...(ui === undefined ? {} : { uiSessions: ui.sessions }),
      fetchFile: client.file,
      rules,
      fileRules: fileRules(config),
      repositoryFiles: createRepositoryFiles(config.root),
      treeMillis: config.treeSeconds * 1000,
      seatRules: seatRules(config),
      log: changes,
      local,
      index,
      failed: report,
      onClockRepaired: (repaired, sentence) => log.warn(repaired, sentence),
      runs,
      works: (dispatch) => {
        works = worksOf(config, place, { self, wire, client, dispatch })
        return works
      },
    })
    toStop.push(
      () => engine[Symbol.asyncDispose](),
      () => client.destroy(),
      () => wire.destroy(),
      async () => works?.[Symbol.asyncDispose](),
      // Before the server closes, because a reader that follows a run would keep it open until the run ends.
      () => runs[Symbol.asyncDispose](),
      // The same for callers that wait for a change.
      async () => engine.endWaiting(),
    )
    await engine.begin()
    const identify = createIdentify({
      self,
      operatorKey,
      open: config.open,
      view: store.view,
      clock,
      readToken: engine.readToken,
      known: adp?.known,
      hubCaller: (ticket) => hubCalls.answering.callerWith(ticket),
      person: ui?.identifyPerson,
    })
    const guard = createGuard({
      gate: { hosts: hostHeadersOf(config), origins: new Set(config.allowedOrigins) },
      ownPage: ui?.ownPage,
      identify,
      limits: createRateLimits(config),
      unread: createUnread(config),
      trust: door.trust,
      isBehindProxy: isBehindProxy(config),
    })
    const served = {
      self,
      version: VERSION,
      card: () =>
        agentCard(self, { version: VERSION, identity: own, chiffonAgent: config.chiffonAgent, capabilities }),
      identity: own,
      openRpc,
      methodNames: methods.map((row) => row.name),
      store,
      services: engine.services,
      files,
      clock,
      accessWatch,
      startedAt,
      dispatch: engine.dispatch,
      report,
      progressMillis: config.mcpProgressSeconds * 1000,
      commentMillis: config.streamCommentSeconds * 1000,
      isOpen: config.open,
      chiffon: {
        agentType: config.chiffonAgent,
        tokens: config.chiffonTokens,
        client,
        timers: backgroundTimers,
        retryMillis: config.peerRetrySeconds.map((seconds) => seconds * 1000),
        callMillis: config.peerCallSeconds * 1000,
      },
      coreason: { capabilities },
    }
    await adp?.register()
    door.serve(
      createRpcHandler({
        methods: engine.methods,
        answer: engine.answer,
        others: createA2aMethods({ ...served, audit: engine.audit }),
        guard,
        report,
        audit: engine.audit,
      }),
      createApp({
        routes: withOpenApi(
          [...routes(served), ...dialectRoutes(served), ...(ui?.routes(engine.services.feed) ?? [])],
          { version: VERSION, url: self.endpoint },
        ),
        guard,
        isEncrypted: certificate !== undefined,
        report,
        audit: engine.audit,
      }),
      ui?.basePath,
    )
    // Opened only now, because resumed work may be answered at this server.
    await works?.open()
    const at = { url, port, certificate, startedAt: clock.now(), ...(ui && { uiUrl: ui.uiUrl }) }
    const endpoint = await ownEndpoint(config, at)
    // On a full disk the endpoint cannot be saved, but the store can still be read.
    await rememberEndpoint(dataDir, endpoint).catch((error: unknown) =>
      log.warn({ err: error }, 'commands may not find this daemon: its address could not be saved'),
    )
    toStop.push(() => forgetRunning(config.stateDir, dataDir))
    await rememberRunning(config.stateDir, dataDir).catch((error: unknown) =>
      log.debug({ err: error }, 'the dashboards of other repositories do not list this one'),
    )
    log.debug({ url, repo, data: dataDir }, 'listening')
    engine.warmUp(config.warmUpPercent / 100)
    return {
      url,
      agentId,
      repo,
      dataDir,
      /** The runs that all dialects start, for whoever has the daemon in its own process. */
      runs,
      /** Finishes running requests within the time for that; then only the store is left to close. */
      stopServing: () => stopAllBut(STORE_ALONE),
      [Symbol.asyncDispose]: async () => {
        await stopAllBut(0)
        log.debug('stopped')
      },
    }
  } catch (error) {
    await stopAllBut(0)
    throw error
  }
}
