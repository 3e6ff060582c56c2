import { hubRecord } from '../../../domain/hub/record.ts'
import type { HubState, HubStatus } from '../../../domain/hub/status.ts'
import { travellingProjects } from '../../../domain/hub/travelling.ts'
import { HUB_TROUBLES, type HubTrouble, type HubTroubleKind, troubleIn } from '../../../domain/hub/trouble.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import type { Hub } from '../../ports/hub.ts'
import type { SequencedStatement } from '../../ports/ports.ts'
import { Refusals } from '../link/refusals.ts'
import { createBreaker } from '../peer/breaker.ts'
import { createAlarm } from './alarm.ts'
import { Comparing } from './comparing.ts'
import { createHubClock } from './hub-clock.ts'
import { HUB_SENDER } from './reader.ts'
import { createHubSession, type HubSession } from './session.ts'

export interface HubLaneDeps
  extends Pick<Parts, 'self' | 'store' | 'view' | 'statements' | 'digests' | 'intake' | 'refusals'>,
    Pick<Parts, 'clock' | 'timers' | 'random' | 'rules'> {
  readonly hub: Hub
  /** Called when it is doing better or worse than before. */
  onHealth?(): void
}

/** What fails after so long had gone well before. */
const STEADY_MILLIS = 10_000

type HubLane = ReturnType<typeof createHubLane>

/**
 * The daemon's side of its hub: connects, keeps a session going, and when that fails waits as the breaker says and
 * starts anew. Nobody who calls the daemon ever waits for it.
 */
export function createHubLane(deps: HubLaneDeps) {
  const { hub, view, statements, intake, refusals, clock, timers, random, rules, onHealth } = deps
  const openMillis = Math.min(rules.breaker.openMillis, rules.hub.pauseMillis)
  const breaker = createBreaker({ ...rules.breaker, openMillis })
  const comparing = new Comparing({ ...deps, org: hub.org, scope: hub })
  const refusedThere = new Refusals(clock)
  const hubClock = createHubClock(deps)
  const startedAt = clock.now()
  const troubles = new Map<HubTroubleKind, HubTrouble>()
  const stopped = new AbortController()
  const alarm = createAlarm(timers)
  let session: HubSession | undefined
  let failure: HubTrouble | undefined
  let isWell = false
  let lastSeen: Stamp | null = null
  const ended = run()

  return {
    /** These are durable and in the log. */
    wake(changes: readonly SequencedStatement[]): void {
      for (const projectId of new Set(changes.map(({ project_id }) => project_id)))
        comparing.changed(projectId)
      session?.wake()
    },

    hurry(): void {
      breaker.succeed()
      alarm.ring()
    },

    status(): HubStatus {
      const unread = session?.unread ?? null
      const unoffered = session?.unoffered ?? statements.countAfter(hubRecord(view)?.offered_seq ?? 0)
      return {
        org: hub.org,
        state: stateOf(unread, unoffered),
        troubles: allTroubles(),
        failures: failure === undefined ? 0 : breaker.failures,
        lastSeen,
        unread,
        unoffered,
        clockSkewSeconds: hubClock.skewSeconds(),
        refusedHere: refusals.of(HUB_SENDER),
        waiting: intake.waitingOf(HUB_SENDER),
        refusedThere: refusedThere.of(HUB_SENDER),
        projects: travellingProjects(view, hub),
      }
    },

    async [Symbol.asyncDispose](): Promise<void> {
      stopped.abort()
      session?.end()
      alarm.ring()
      await ended
    },
  }

  function stateOf(unread: number | null, unoffered: number): HubState {
    if (session === undefined) return 'connecting'
    if (!session.isCaughtUp || (unread ?? 1) > 0) return 'reading'
    return unoffered > 0 ? 'offering' : 'current'
  }

  function allTroubles(): HubTrouble[] {
    const since = clock.now()
    const skew = hubClock.trouble()
    return [
      ...(failure === undefined ? [] : [failure]),
      ...troubles.values(),
      ...(skew === undefined
        ? []
        : [{ kind: 'clock' as const, message: skew, next: HUB_TROUBLES.clock.next, since }]),
      ...notTaken(),
    ]
  }

  function notTaken(): HubTrouble[] {
    const { count, newest } = refusals.of(HUB_SENDER)
    const last = newest.at(-1)
    if (last === undefined) return []
    const message = `Messages on the hub that were not taken here: ${count}; the last one: ${last.reason}`
    return [{ kind: 'not_taken', message, next: HUB_TROUBLES.not_taken.next, since: last.since as Stamp }]
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const began = timers.millis()
      try {
        await connect()
      } catch (error) {
        isWell = false
        failure = troubleIn(Fault.from(error), clock.now())
        onHealth?.()
        if (stopped.signal.aborted) return
        // One that can be read and takes nothing would be tried again and again without a pause.
        if (timers.millis() - began >= STEADY_MILLIS) breaker.succeed()
        await alarm.wait(breaker.fail(random()))
      }
    }
  }

  async function connect(): Promise<void> {
    const connection = await hub.open(stopped.signal)
    const opened = createHubSession({
      ...deps,
      connection,
      comparing,
      refusedThere,
      hubClock,
      startedAt,
      tell(kind, message) {
        const known = troubles.get(kind)
        const since = known?.since ?? clock.now()
        troubles.set(kind, { kind, message, next: HUB_TROUBLES[kind].next, since })
        if (known === undefined) onHealth?.()
      },
      takeBack(kind) {
        if (troubles.delete(kind)) onHealth?.()
      },
      onWell() {
        lastSeen = clock.now()
        if (isWell) return
        isWell = true
        failure = undefined
        onHealth?.()
      },
    })
    session = opened
    try {
      if (!stopped.signal.aborted) await opened.run()
    } finally {
      session = undefined
    }
  }
}

/** The hub that is used now, if any: it can be changed while the daemon runs. */
export function createHubSwitch(deps: Omit<HubLaneDeps, 'hub'>) {
  let lane: HubLane | undefined
  /** Changes are made one after the other. */
  let changing: Promise<void> = Promise.resolve()
  let isEnded = false

  return {
    use,
    wake: (statements: readonly SequencedStatement[]): void => lane?.wake(statements),
    status: (): HubStatus | null => lane?.status() ?? null,
    hurry: (): void => lane?.hurry(),
    async [Symbol.asyncDispose](): Promise<void> {
      isEnded = true
      await use(undefined)
    },
  }

  /** From now on this one, or none. Returns when the one before is left. */
  function use(hub: Hub | undefined): Promise<void> {
    changing = changing.then(() => change(hub))
    return changing
  }

  async function change(hub: Hub | undefined): Promise<void> {
    await lane?.[Symbol.asyncDispose]()
    lane = hub === undefined || isEnded ? undefined : createHubLane({ ...deps, hub })
  }
}
