import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { hostHeadersOf, localUrl } from '../config/addresses.ts'
import { certificateFor, type Exposure, isBehindProxy, toBePinned } from '../config/exposure.ts'
import { DEFAULTS } from '../config/settings.ts'
import type { Clock } from '../engine/ports/ports.ts'
import { createGuard } from '../http/guard/guard.ts'
import type { Identify } from '../http/guard/identify.ts'
import { createRateLimits, type Rates } from '../http/guard/rate-limits.ts'
import { createUnread } from '../http/reply/unread.ts'
import { createApp } from '../http/server/app.ts'
import { listen } from '../http/server/server.ts'
import { createLog, reportTo } from '../io/audit/log.ts'
import { verifyBytes, verifySignature } from '../io/identity/signature.ts'
import { ensureOperatorKey } from '../io/place/data-dir.ts'
import type { Disk } from '../io/store/directory/disk.ts'
import { nodeDisk } from '../io/store/directory/node-disk.ts'
import { openStore } from '../io/store/open-store.ts'
import { systemClock } from '../io/system/clock.ts'
import { ADP_LIMITS } from '../protocol/agent/adp.ts'
import { Fault } from '../protocol/fault.ts'
import { VERSION } from '../version.ts'
import { createRegistry } from './registry.ts'
import { exchangeRoutes, refusalAnswer } from './routes.ts'

export interface ExchangeConfig extends Omit<Exposure, 'open'> {
  /** Absolute. */
  readonly dataDir: string
  /** 0: any free port. */
  readonly port: number
  readonly logLevel: string
}

export type Exchange = Awaited<ReturnType<typeof startExchange>>

export interface ExchangeOverrides {
  clock?: Clock
  disk?: Disk
  log?: Logger
  rates?: Rates
}

/** How long a stop waits for running requests. */
const STOP_MILLIS = 5000

/** Agents register at their start and at intervals; several of a team may start at once behind one address. */
const EXCHANGE_RATES: Rates = { ...DEFAULTS, ratePairing: 600 }

/** An ADP registry for a team: the composition root of `cacpd exchange`, with the same store as the daemon's. */
export async function startExchange(
  config: ExchangeConfig,
  {
    clock = systemClock,
    disk = nodeDisk,
    log = createLog(config.logLevel),
    rates = EXCHANGE_RATES,
  }: ExchangeOverrides = {},
) {
  const { dataDir, host } = config
  const { store } = await openStore({ directory: dataDir, disk, clock, log })
  try {
    const identify = createIdentify(await ensureOperatorKey(dataDir))
    const registry = createRegistry({ store, clock, verify: verifySignature, verifyBytes })
    const certificate = await certificateFor(config)
    const door = await listen({ host, ports: [config.port], limits: DEFAULTS, tls: certificate })
    const url = localUrl(host, door.port, certificate !== undefined)
    const { certificate: pinned } = toBePinned(certificate, config)
    const app = createApp({
      routes: exchangeRoutes(registry, { version: VERSION, agentLimit: ADP_LIMITS.agents }),
      guard: createGuard({
        identify,
        gate: { hosts: hostHeadersOf(config), origins: new Set() },
        limits: createRateLimits(rates),
        unread: createUnread(DEFAULTS),
        trust: door.trust,
        isBehindProxy: isBehindProxy(config),
      }),
      isEncrypted: certificate !== undefined,
      report: reportTo(log),
      words: { show: refusalAnswer, elsewhere: 'Agents are at /v1/register/, /v1/search/ and /v1/agents/' },
    })
    door.serve(app, app)
    log.debug({ url, data: dataDir }, 'listening')
    return {
      /** The URL for callers on this machine. */
      url,
      /** The address that daemons are configured with: includes the hash of a self-signed certificate. */
      address: `${config.publicUrl ?? url}${pinned === undefined ? '' : `#${pinned}`}`,
      dataDir,
      [Symbol.asyncDispose]: async () => {
        await door.close(STOP_MILLIS)
        await store[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/** Every caller without the operator key is anonymous. */
function createIdentify(operatorKey: string): Identify {
  const expected = Buffer.from(`Bearer ${operatorKey}`)
  return ({ authorization }) => {
    if (authorization === undefined) return { kind: 'anonymous', agentId: '', repoName: null }
    const given = Buffer.from(authorization)
    if (given.length === expected.length && timingSafeEqual(given, expected))
      return { kind: 'operator', agentId: '', repoName: null }
    throw new Fault('unauthorized', 'Authorization: this key is not that of the exchange', {
      next: 'Leave it out: agents need no key here',
    })
  }
}
