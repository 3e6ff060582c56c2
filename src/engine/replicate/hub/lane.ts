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
import { Breaker } from '../peer/breaker.ts'
import { Alarm } from './alarm.ts'
import { Comparing } from './comparing.ts'
import { HubClock } from './hub-clock.ts'
import { HUB_SENDER } from './reader.ts'
import { HubSession } from './session.ts'

export interface HubLaneDeps
  extends Pick<Parts, 'self' | 'store' | 'view' | 'statements' | 'digests' | 'intake' | 'refusals'>,
    Pick<Parts, 'clock' | 'timers' | 'random' | 'rules'> {
  readonly hub: Hub
  /** Called when it is doing better or worse than before. */
  onHealth?(): void
}

/** What fails after so long had gone well before. */
const STEADY_MILLIS = 10_000

/**
 * The daemon's side of its hub: connects, keeps a session going, and when that fails waits as the breaker says and
 * starts anew. Nobody who calls the daemon ever waits for it.
 */
export class HubLane implements AsyncDisposable {
  readonly #deps: HubLaneDeps
  readonly #breaker: Breaker
  readonly #comparing: Comparing
  readonly #refusedThere: Refusals
  readonly #hubClock: HubClock
  readonly #startedAt: Stamp
  readonly #troubles = new Map<HubTroubleKind, HubTrouble>()
  readonly #stopped = new AbortController()
  readonly #hurry: Alarm
  readonly #ended: Promise<void>
  #session: HubSession | undefined
  #failure: HubTrouble | undefined
  #isWell = false
  #lastSeen: Stamp | null = null

  constructor(deps: HubLaneDeps) {
    const { hub, clock, timers, rules } = deps
    this.#deps = deps
    const openMillis = Math.min(rules.breaker.openMillis, rules.hub.pauseMillis)
    this.#breaker = new Breaker({ ...rules.breaker, openMillis })
    this.#comparing = new Comparing({ ...deps, org: hub.org, scope: hub })
    this.#refusedThere = new Refusals(clock)
    this.#hubClock = new HubClock(deps)
    this.#startedAt = clock.now()
    this.#hurry = new Alarm(timers)
    this.#ended = this.#run()
  }

  /** These are durable and in the log. */
  wake(statements: readonly SequencedStatement[]): void {
    for (const projectId of new Set(statements.map(({ project_id }) => project_id)))
      this.#comparing.changed(projectId)
    this.#session?.wake()
  }

  hurry(): void {
    this.#breaker.succeed()
    this.#hurry.ring()
  }

  status(): HubStatus {
    const { hub, view, statements, refusals, intake } = this.#deps
    const unread = this.#session?.unread ?? null
    const unoffered = this.#session?.unoffered ?? statements.countAfter(hubRecord(view)?.offered_seq ?? 0)
    return {
      org: hub.org,
      state: this.#state(unread, unoffered),
      troubles: this.#allTroubles(),
      failures: this.#failure === undefined ? 0 : this.#breaker.failures,
      lastSeen: this.#lastSeen,
      unread,
      unoffered,
      clockSkewSeconds: this.#hubClock.skewSeconds(),
      refusedHere: refusals.of(HUB_SENDER),
      waiting: intake.waitingOf(HUB_SENDER),
      refusedThere: this.#refusedThere.of(HUB_SENDER),
      projects: travellingProjects(view, hub),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#session?.end()
    this.#hurry.ring()
    await this.#ended
  }

  #state(unread: number | null, unoffered: number): HubState {
    if (this.#session === undefined) return 'connecting'
    if (!this.#session.isCaughtUp || (unread ?? 1) > 0) return 'reading'
    return unoffered > 0 ? 'offering' : 'current'
  }

  #allTroubles(): HubTrouble[] {
    const since = this.#deps.clock.now()
    const skew = this.#hubClock.trouble()
    return [
      ...(this.#failure === undefined ? [] : [this.#failure]),
      ...this.#troubles.values(),
      ...(skew === undefined
        ? []
        : [{ kind: 'clock' as const, message: skew, next: HUB_TROUBLES.clock.next, since }]),
      ...this.#notTaken(),
    ]
  }

  #notTaken(): HubTrouble[] {
    const { count, newest } = this.#deps.refusals.of(HUB_SENDER)
    const last = newest.at(-1)
    if (last === undefined) return []
    const message = `Messages on the hub that were not taken here: ${count}; the last one: ${last.reason}`
    return [{ kind: 'not_taken', message, next: HUB_TROUBLES.not_taken.next, since: last.since as Stamp }]
  }

  async #run(): Promise<void> {
    const { random, timers, clock, onHealth } = this.#deps
    while (!this.#stopped.signal.aborted) {
      const began = timers.millis()
      try {
        await this.#connect()
      } catch (error) {
        this.#isWell = false
        this.#failure = troubleIn(Fault.from(error), clock.now())
        onHealth?.()
        if (this.#stopped.signal.aborted) return
        // One that can be read and takes nothing would be tried again and again without a pause.
        if (timers.millis() - began >= STEADY_MILLIS) this.#breaker.succeed()
        await this.#hurry.wait(this.#breaker.fail(random()))
      }
    }
  }

  async #connect(): Promise<void> {
    const { hub, clock } = this.#deps
    const connection = await hub.open(this.#stopped.signal)
    const session = new HubSession({
      ...this.#deps,
      connection,
      comparing: this.#comparing,
      refusedThere: this.#refusedThere,
      hubClock: this.#hubClock,
      startedAt: this.#startedAt,
      tell: (kind, message) => {
        const known = this.#troubles.get(kind)
        const since = known?.since ?? clock.now()
        this.#troubles.set(kind, { kind, message, next: HUB_TROUBLES[kind].next, since })
        if (known === undefined) this.#deps.onHealth?.()
      },
      takeBack: (kind) => {
        if (this.#troubles.delete(kind)) this.#deps.onHealth?.()
      },
      onWell: () => {
        this.#lastSeen = clock.now()
        if (this.#isWell) return
        this.#isWell = true
        this.#failure = undefined
        this.#deps.onHealth?.()
      },
    })
    this.#session = session
    try {
      if (!this.#stopped.signal.aborted) await session.run()
    } finally {
      this.#session = undefined
    }
  }
}
