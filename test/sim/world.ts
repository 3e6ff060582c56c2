import { latestAcceptedTime } from '../../src/domain/speaking/redate.ts'
import type { Unsigned } from '../../src/domain/statements/say.ts'
import type { Exchange } from '../../src/engine/replicate/link/exchange.ts'
import { PlainExchange } from '../../src/engine/replicate/plain/exchange.ts'
import { REPLICATION_RULES, type ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import type { Visibility } from '../../src/protocol/words.ts'
import { FAIR, VirtualNetwork } from '../support/network/virtual-network.ts'
import { VirtualTime } from '../support/simulated/virtual-time.ts'
import type { AheadClock } from './ahead-clock.ts'
import { Dice } from './dice.ts'
import { Forger } from './forger.ts'
import { Hostile } from './hostile.ts'
import { HostileMember } from './hostile-member.ts'
import { agentOf, PLAIN, repoOf, START } from './names.ts'
import { drawLook, drawOperation, type Operation } from './operations.ts'
import { Renewals } from './renewals.ts'
import { Repeats } from './repeats.ts'
import { type Acquaintance, type Sabotage, SimDaemon, type SimDaemonDeps } from './sim-daemon.ts'
import { drawHubTopology, SimHub } from './sim-hub.ts'
import { SimPlain } from './sim-plain.ts'
import { holds } from './state.ts'
import { drawTopology, type Edge } from './topology.ts'
import { watchWaiting } from './waiting-watch.ts'

/** Which layer works alone, for self-healing hides the bugs of the layer below; or a hub in the place of most links. */
export type Mode = 'push' | 'digest' | 'both' | 'hub'

export interface WorldOptions {
  readonly seed: number
  readonly mode: Mode
  readonly sabotage?: Sabotage
  readonly trace?: (line: string) => void
}

/** An operation that was answered with success, and what it must have left behind. */
export interface Acknowledged {
  readonly daemon: string
  readonly method: string
  readonly said: readonly Unsigned[]
  readonly settles: readonly string[]
  /** Only a disk that was lost held it. */
  isExcused: boolean
}

const nothing = async (): Promise<void> => {}

const SILENCED: Record<Mode, (exchange: Exchange) => Exchange> = {
  both: (exchange) => exchange,
  hub: (exchange) => exchange,
  push: (exchange) => silenced(exchange, { repair: nothing }),
  digest: (exchange) => silenced(exchange, { push: nothing }),
}

function silenced(exchange: Exchange, instead: Partial<Exchange>): Exchange {
  // A plain peer knows neither cursors nor digests.
  if (exchange instanceof PlainExchange) return exchange
  return {
    begin: () => exchange.begin(),
    push: () => exchange.push(),
    repair: () => exchange.repair(),
    end: () => exchange.end(),
    report: () => exchange.report(),
    ...instead,
  }
}

/** Daemons, what lies between them, and what happens to them: all of it from one seed. */
export class World {
  readonly dice: Dice
  readonly time = new VirtualTime()
  readonly network: VirtualNetwork
  readonly daemons: readonly SimDaemon[]
  readonly edges: readonly Edge[]
  readonly shape: string
  readonly hub: SimHub | undefined
  /** Who is on the hub. */
  readonly #onHub: ReadonlySet<number>
  readonly mode: Mode
  readonly rules: ReplicationRules
  readonly acknowledged: Acknowledged[] = []
  /** What is wrong, in words. */
  readonly failures: string[] = []
  readonly hostile: Hostile | undefined
  readonly member: HostileMember | undefined
  /** Whether a key may say so little that the one that floods comes to the end of it. */
  readonly isFlooded: boolean
  readonly plain: SimPlain | undefined
  /** A daemon whose clock is far ahead for a while. */
  ahead: AheadClock | undefined
  /** A disk was replaced, so that somebody may still show what nobody here remembers. */
  isMemoryLost = false
  readonly repeats = new Repeats(this)
  readonly renewals = new Renewals()
  readonly #trace: ((line: string) => void) | undefined
  readonly #starting = new Set<SimDaemon>()
  readonly #onceUp = new Map<SimDaemon, () => void>()
  #isHealed = false
  #ids = 0
  #operations = 0

  constructor({ seed, mode, sabotage = {}, trace }: WorldOptions) {
    this.dice = new Dice(seed)
    this.mode = mode
    this.#trace = trace
    const { dice, time } = this
    this.network = new VirtualNetwork({
      time,
      random: dice.random,
      trace: (line) => this.#trace && this.trace(line()),
    })
    this.rules = {
      ...REPLICATION_RULES,
      batchItems: dice.pick([1, 3, 10, 200]),
      bucketSize: dice.pick([1, 4, 16]),
      callMillis: dice.pick([2000, 30_000]),
      repairEveryMillis: dice.pick([2000, 8000, 30_000]),
    }
    const deps: SimDaemonDeps = {
      time,
      network: this.network,
      random: dice.random,
      rules: this.rules,
      compactBytes: dice.pick([4096, 32_768, 1_000_000]),
      exchange: SILENCED[mode],
      sabotage,
      // One by one, because they are of several projects, and not everybody may see each.
      wrote: ({ name }, sightings) => {
        for (const one of sightings) this.#acknowledge({ daemon: name, method: 'sighting', said: [one] })
      },
      renewed: (before, after) => this.renewals.note(before, after),
      left: () => this.#awaitAhead(),
      byAndBy: this.#byAndBy(dice.chance(0.3)),
      newId: () => `id-${String(++this.#ids).padStart(5, '0')}`,
      hubOf: (daemon, isAlive) => (this.isOnHub(daemon) ? this.hub?.for(daemon.name, isAlive) : undefined),
      gone: ({ name }) => this.hub?.hub.cut(name),
      trace: this.trace,
      report: (fault: Fault) =>
        this.fail(`internal failure: ${String((fault.cause as Error)?.stack ?? fault.cause)}`),
    }
    const count = dice.pick([2, 3, 3, 4, 5])
    this.daemons = Array.from({ length: count }, (_, index) => new SimDaemon(`n${index}`, deps))
    const { shape, edges } = drawTopology(count, dice)
    this.shape = shape
    this.hub = mode === 'hub' ? new SimHub({ time, dice, trace: this.trace }) : undefined
    const onHub = mode === 'hub' ? drawHubTopology(count, edges, dice) : { on: new Set<number>(), edges }
    this.edges = onHub.edges
    this.#onHub = onHub.on
    const { newId } = deps
    this.plain = dice.chance(0.2)
      ? new SimPlain({ time, network: this.network, dice, newId, trace: this.trace })
      : undefined
    this.hostile = dice.chance(0.2) ? new Hostile(this.network, dice) : undefined
    const now = () => START + time.now
    this.member = dice.chance(0.4) ? new HostileMember({ network: this.network, dice, now }) : undefined
    this.isFlooded = this.member !== undefined && dice.chance(0.3)
    // What somebody said too much is found to differ at every comparison.
    if (this.isFlooded) Object.assign(this.rules, { repairEveryMillis: 30_000, batchItems: 200 })
    if (this.isFlooded && this.member !== undefined) this.member.floods = 0.5
    if (dice.chance(0.25)) this.network.alter = new Forger(dice, { replaces: mode !== 'push' }).alter
  }

  /** Signatures are made and checked at once, or one after the other whenever a thread comes to it. */
  #byAndBy(isSlow: boolean): SimDaemonDeps['byAndBy'] {
    const { time, dice } = this
    return isSlow
      ? (make) => new Promise((resolve) => time.after(dice.random() * 5, () => resolve(make())))
      : async (make) => make()
  }

  /** Time and limits are those of this world until that is disposed of. */
  install(): Disposable {
    const installed = this.time.install()
    const { keyStatements, keySpare } = LIMITS
    if (this.isFlooded)
      Object.assign(LIMITS, { keyStatements: 120, keySpare: { ...keySpare, statements: 10 } })
    // What found no room to wait in comes again when states are compared.
    const watch = this.isFlooded && this.mode !== 'push' ? watchWaiting((what) => this.fail(what)) : undefined
    return {
      [Symbol.dispose]: () => {
        watch?.[Symbol.dispose]()
        Object.assign(LIMITS, { keyStatements, keySpare })
        installed[Symbol.dispose]()
      },
    }
  }

  readonly trace = (line: string): void => {
    this.#trace?.(`${(this.time.now / 1000).toFixed(3).padStart(9)} ${line}`)
  }

  fail(what: string): void {
    if (this.failures.length < 20) this.failures.push(what)
    this.trace(`FAILURE ${what}`)
  }

  get up(): SimDaemon[] {
    return this.daemons.filter((daemon) => daemon.isUp)
  }

  isOnHub(daemon: SimDaemon): boolean {
    return this.#onHub.has(this.daemons.indexOf(daemon))
  }

  /** By which ways statements of such a project travel: what is kept among members stays off the hub. */
  edgesOf(visibility: Visibility): readonly Edge[] {
    const [first = 0, ...others] = visibility === 'all' ? this.#onHub : []
    return [...this.edges, ...others.map((other): Edge => [first, other])]
  }

  neighboursOf(daemon: SimDaemon): SimDaemon[] {
    const index = this.daemons.indexOf(daemon)
    return this.edges.flatMap(([a, b]) => {
      const other = this.daemons[a === index ? b : b === index ? a : -1]
      return other === undefined ? [] : [other]
    })
  }

  async open(): Promise<void> {
    for (const daemon of this.daemons) this.boot(daemon)
    await this.time.settle()
    for (const daemon of this.daemons)
      for (const other of this.neighboursOf(daemon)) this.#introduce(daemon, other.acquaintance)
    if (this.hostile !== undefined) {
      this.hostile.listen()
      this.#introduce(this.dice.pick(this.daemons), this.hostile.acquaintance)
    }
    if (this.member !== undefined) {
      this.member.listen()
      for (const daemon of this.daemons)
        if (daemon === this.daemons[0] || this.dice.chance(0.3))
          this.#introduce(daemon, this.member.acquaintance)
    }
    if (this.plain !== undefined) {
      this.plain.start()
      this.#introduce(this.dice.pick(this.daemons), this.plain.registration)
      if (this.dice.chance(0.3)) this.#introduce(this.dice.pick(this.daemons), this.plain.registration)
    }
    await this.time.advance(100)
  }

  /** Starts a daemon that is down; should that fail, again a little later. */
  boot(daemon: SimDaemon): void {
    if (daemon.isUp || this.#starting.has(daemon)) return
    this.#starting.add(daemon)
    const { disk } = daemon
    daemon.start().then(
      () => {
        this.#starting.delete(daemon)
        this.trace(`${daemon.name} starts`)
        this.#onceUp.get(daemon)?.()
        this.#onceUp.delete(daemon)
      },
      (error: unknown) => {
        this.#starting.delete(daemon)
        this.trace(`${daemon.name} cannot start: ${error}`)
        if ((error as Error).name === 'StoreDamagedError') this.fail(`${daemon.name} cannot start: ${error}`)
        if (disk === daemon.disk) daemon.crash({ powerFails: false })
        this.time.after(2000, () => this.boot(daemon))
      },
    )
  }

  /** Another disk instead of the old one, empty or from a backup; what only the old one held is nobody's fault. */
  replaceDisk(daemon: SimDaemon, files: ReadonlyMap<string, Uint8Array>): void {
    daemon.replaceDisk(files)
    this.isMemoryLost = true
    const isWiped = files.size === 0
    this.#onceUp.set(daemon, () => {
      this.renewals.undo((before) => holds(daemon.durable, before))
      for (const one of this.acknowledged)
        one.isExcused ||= one.said.some(
          (statement) => !this.daemons.some(({ durable }) => holds(durable, statement)),
        )
      if (!isWiped) return
      for (const other of this.neighboursOf(daemon)) {
        this.#introduce(daemon, other.acquaintance)
        this.#introduce(other, daemon.acquaintance)
      }
    })
    this.time.after(this.dice.between(0, 20_000), () => this.boot(daemon))
  }

  newTag(): string {
    return `t${++this.#operations}t`
  }

  /** One call of an agent. Who is never answered knows nothing. */
  operate(daemon: SimDaemon): void {
    const tag = this.newTag()
    const { dice } = this
    const operation = drawOperation({
      view: daemon.life.store.view,
      dice,
      ownRepo: repoOf(daemon.name),
      ownAgent: agentOf(daemon.name),
      repos: [
        ...this.daemons.map(({ name }) => repoOf(name)),
        ...(this.plain === undefined ? [] : [repoOf(PLAIN)]),
      ],
      tag,
      growsCircles: this.growsCircles,
      // Whoever may see something from now on gets it when states are compared.
      hasCircles: this.mode !== 'push',
    })
    // What only the operator does bears no key.
    if (dice.chance(0.4) && operation.method !== 'cacp/repo/settle')
      this.repeats.begin(daemon, { tag, operation })
    else this.attempt(daemon, operation)
  }

  look(daemon: SimDaemon): void {
    const operation = drawLook(daemon.life.store.view, this.dice)
    if (operation !== undefined) this.attempt(daemon, operation)
  }

  attempt(daemon: SimDaemon, operation: Operation): void {
    this.call(daemon, operation).catch((error: unknown) =>
      this.trace(`${daemon.name} ${operation.method} refused: ${error}`),
    )
  }

  /** Calls, and remembers what was acknowledged. */
  async call(daemon: SimDaemon, { method, params, settles = [] }: Operation): Promise<unknown> {
    this.trace(`${daemon.name} ${method} ${JSON.stringify(params)}`)
    const { life } = daemon
    const result = await daemon.call(method, params)
    // What a process says after its end nobody hears.
    if (!daemon.isUp || daemon.life !== life) throw new Fault('unavailable', 'gone')
    const said = daemon.saidWith.get(result as object) ?? []
    this.#acknowledge({ daemon: daemon.name, method, said, settles })
    this.trace(`${daemon.name} acknowledged ${JSON.stringify(result)}`)
    return result
  }

  #acknowledge(one: Pick<Acknowledged, 'daemon' | 'method' | 'said'> & Partial<Acknowledged>): void {
    this.acknowledged.push({ settles: [], isExcused: false, ...one })
  }

  /** All is well again: nothing is lost any more, everybody is up, all clocks show the same. */
  heal(): void {
    this.trace('HEAL')
    this.network.weather = FAIR
    this.network.mend()
    this.network.alter = undefined
    this.plain?.start()
    this.#isHealed = true
    this.ahead?.putRight()
    if (this.#isLieAheadKept()) this.#awaitAhead()
    this.#setClocks()
    for (const daemon of this.daemons) {
      daemon.disk.freeBytes = Number.POSITIVE_INFINITY
      daemon.disk.mend()
      if (daemon.isUp && daemon.life.store.health().problem?.needsRestart) daemon.crash({ powerFails: false })
      this.boot(daemon)
    }
  }

  /**
   * @NOTE A daemon that lost its memory of having named a member, and got the project back from others who had
   * not heard of it either, does not listen to that member any more: what it says of itself proves nothing. The
   * operator has to name it again, so members are not added where a disk is lost.
   */
  growsCircles = true

  /** The furthest that any clock was ahead: stamps of then are fine again once all clocks have come there. */
  furthestOffset = 0

  #setClocks(): void {
    const offset = Math.max(0, ...this.daemons.map(({ clockOffset }) => clockOffset), this.furthestOffset)
    if (this.plain !== undefined) this.plain.clockOffset = offset
    for (const daemon of this.daemons) daemon.clockOffset = offset
    this.hub?.heal(offset)
  }

  /** Somebody else spoke of what was said ahead of the time, which has to come then. */
  #awaitAhead(): void {
    this.furthestOffset = Math.max(this.furthestOffset, this.ahead?.seconds ?? 0)
    if (this.#isHealed) this.#setClocks()
  }

  /** What a hostile member dated ahead is taken by the one whose clock is as far ahead, and by others in its time. */
  #isLieAheadKept(): boolean {
    if (this.ahead === undefined || this.member === undefined) return false
    const { keys } = this.member
    return this.daemons.some(({ durable, clockOffset }) => {
      const horizon = latestAcceptedTime(stampOfMillis(START + this.time.now + clockOffset * 1000))
      return [...durable.values()].some(({ key, at }) => keys.has(key) && at > horizon)
    })
  }

  #introduce(daemon: SimDaemon, acquaintance: Acquaintance): void {
    const again = (error: unknown) => {
      this.trace(`${daemon.name} cannot meet ${acquaintance.repoName}: ${error}`)
      this.time.after(3000, () => this.#introduce(daemon, acquaintance))
    }
    daemon.meet(acquaintance).catch(again)
  }
}
