import { agentCard } from '../../src/describe/agent-card.ts'
import { describedMethods } from '../../src/describe/openrpc.ts'
import type { Change } from '../../src/domain/change.ts'
import type { Env, Self } from '../../src/domain/env.ts'
import { Registration } from '../../src/domain/peers.ts'
import { entityKey } from '../../src/engine/change-log.ts'
import { createEngine, type Engine } from '../../src/engine/compose.ts'
import type { Clock, PeerClient, Random, Store, Timers } from '../../src/engine/ports.ts'
import type { Exchange } from '../../src/engine/replicate/exchange.ts'
import type { ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { createIdentify } from '../../src/http/identify.ts'
import { createJsonRpc, type Reply } from '../../src/http/json-rpc.ts'
import type { Disk } from '../../src/io/store/disk.ts'
import { openStore } from '../../src/io/store/open-store.ts'
import type { AnyMethod } from '../../src/methods/row.ts'
import type { Fault } from '../../src/protocol/fault.ts'
import { jsonText } from '../../src/protocol/json-text.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { NO_IDENTITY } from '../support/no-identity.ts'
import { SimulatedDisk } from '../support/simulated-disk.ts'
import type { Door, VirtualNetwork } from '../support/virtual-network.ts'
import type { VirtualTime } from '../support/virtual-time.ts'

/** Puts a fault into daemons: what a planted bug does to the parts they are made of. */
export interface Sabotage {
  readonly client?: (client: PeerClient, daemon: SimDaemon) => PeerClient
  readonly store?: (store: Store, daemon: SimDaemon) => Store
  readonly exchange?: (exchange: Exchange, daemon: SimDaemon) => Exchange
  readonly methods?: (methods: readonly AnyMethod[], daemon: SimDaemon) => readonly AnyMethod[]
  readonly disk?: (disk: Disk, daemon: SimDaemon) => Disk
  readonly clock?: (clock: Clock, daemon: SimDaemon) => Clock
}

export interface SimDaemonDeps {
  readonly time: VirtualTime
  readonly network: VirtualNetwork
  readonly random: Random
  readonly rules: ReplicationRules
  readonly compactBytes: number
  /** What the mode of the simulation switches off. */
  readonly exchange: (exchange: Exchange) => Exchange
  readonly sabotage: Sabotage
  readonly newId: () => string
  /** Told of the receipts that are on disk: nobody waits for an answer about them. */
  readonly wrote: (daemon: SimDaemon, receipts: readonly Change[]) => void
  readonly trace: (line: string) => void
  /** Told of every failure that nobody may ever see. */
  readonly report: (fault: Fault) => void
}

const METHODS = describedMethods({ version: '0.0.0' }).methods
const DIRECTORY = '/data'
/** Milliseconds since 1970 when a story begins. */
export const START = Date.UTC(2026, 10, 16, 9)

export const originOf = (name: string): string => `http://${name}`
export const agentOf = (name: string): string => `aid://sim.test/${name}@1.0.0`
export const repoOf = (name: string): string => `repo-${name}`

/** From the process's start to its end. */
interface Life {
  readonly engine: Engine
  readonly store: Store
}

/** One daemon of the simulation: everything of the real one but HTTP, on a disk that outlives its process. */
export class SimDaemon {
  readonly name: string
  /** Seconds that its clock is wrong by. */
  clockOffset = 0
  disk: SimulatedDisk
  /** Every entity as its disk has it for certain, also while the process is down. */
  durable = new Map<string, Change>()
  /** The changes that belong to an answer. */
  readonly changesBehind = new WeakMap<object, readonly Change[]>()
  readonly #deps: SimDaemonDeps
  #life: Life | undefined
  #lives = 0

  constructor(name: string, deps: SimDaemonDeps) {
    this.name = name
    this.#deps = deps
    this.disk = new SimulatedDisk(deps.random)
  }

  get isUp(): boolean {
    return this.#life !== undefined
  }

  get life(): Life {
    if (this.#life === undefined) throw new TypeError(`${this.name} is down`)
    return this.#life
  }

  get registration(): Registration {
    return { agentId: agentOf(this.name), endpoint: originOf(this.name), repoName: repoOf(this.name) }
  }

  async start(): Promise<void> {
    const { time, network, random, rules, compactBytes, sabotage, newId, report } = this.#deps
    const number = ++this.#lives
    const isAlive = () => number === this.#lives
    const clock: Clock = {
      now: () => stampOfMillis(START + time.now + this.clockOffset * 1000),
      newId,
    }
    const disk = sabotage.disk?.(this.disk, this) ?? this.disk
    const timers: Timers = { after: (millis, task) => time.after(millis, () => isAlive() && task()) }
    const opened = await openStore({ directory: DIRECTORY, disk, clock, compactBytes, timers })
    if (!isAlive()) return
    const self: Self = {
      agentId: agentOf(this.name),
      repo: repoOf(this.name),
      role: 'backend',
      language: 'typescript',
      endpoint: originOf(this.name),
      storeId: opened.store.id,
    }
    const client = network.clientOf(originOf(this.name), isAlive)
    const store = this.#observed(sabotage.store?.(opened.store, this) ?? opened.store)
    const methods = sabotage.methods?.(METHODS, this) ?? METHODS
    const engine = createEngine({
      methods,
      self,
      store,
      files: opened.files,
      clock: sabotage.clock?.(clock, this) ?? clock,
      timers,
      random,
      client: sabotage.client?.(client, this) ?? client,
      identity: NO_IDENTITY,
      verify: async () => undefined,
      newSecret: newId,
      rules,
      wrapExchange: (exchange) => this.#deps.exchange(sabotage.exchange?.(exchange, this) ?? exchange),
    })
    this.#life = { engine, store }
    const rpc = createJsonRpc({ methods, dispatch: engine.dispatch, report })
    const identify = createIdentify({
      self,
      operatorKey: '-',
      open: true,
      view: store.view,
      clock,
      readToken: engine.readToken,
    })
    const card = JSON.stringify(agentCard(self, { version: '0.0.0' }))
    const door: Door = async ({ from, path, body }) => {
      if (path === '/.well-known/agent.json') return { status: 200, text: card }
      if (path === '/health') return { status: 200, text: '{}' }
      const caller = await identify({ 'x-agent-id': agentOf(from.slice('http://'.length)) })
      if (path === '/peers/register') {
        const env: Env = { caller, self, now: clock.now(), newId, attachment: null }
        const registered = await engine.services.peers.register(Registration.parse(JSON.parse(body)), env)
        return answered({ status: 200, text: jsonText(registered) })
      }
      const reply = await rpc.answer(body, { caller, idempotencyKey: undefined, headers: {} })
      if ('stream' in reply) throw new Error('no daemon asks another for a stream')
      return answered(reply)
    }
    const answered = ({ status, text = '' }: Reply) => {
      if (!isAlive()) throw new Error('gone')
      return { status, text: [text].flat().join('') }
    }
    network.listen(originOf(this.name), door)
  }

  /** The process is gone at once, and with the power also what was not synced. */
  crash({ powerFails }: { powerFails: boolean }): void {
    this.#end()
    if (powerFails) this.disk.crash()
    else this.disk.kill()
  }

  /** Ends as on SIGTERM. */
  async stop(): Promise<void> {
    const life = this.#life
    this.#deps.network.listen(originOf(this.name), undefined)
    await life?.engine[Symbol.asyncDispose]()
    await life?.store[Symbol.asyncDispose]()
    this.#end()
  }

  /** Another disk comes in the place of the old one; the process has to be down. */
  replaceDisk(files: ReadonlyMap<string, Uint8Array>): void {
    this.disk = new SimulatedDisk(this.#deps.random)
    for (const [path, content] of files) this.disk.plant(path, content)
    this.durable = new Map()
  }

  /** A call of this daemon's own agent. */
  call(method: string, params: object): Promise<unknown> {
    const caller = { kind: 'operator' as const, agentId: agentOf(this.name), repoName: repoOf(this.name) }
    return this.life.engine.dispatch({ method, params, caller, idempotencyKey: undefined })
  }

  async register(registration: Registration): Promise<void> {
    const { engine } = this.life
    const caller = { kind: 'operator' as const, agentId: agentOf(this.name), repoName: repoOf(this.name) }
    const env = { caller, now: stampOfMillis(START), newId: this.#deps.newId, attachment: null }
    await engine.services.peers.register(registration, {
      ...env,
      self: { agentId: agentOf(this.name) } as Self,
    })
  }

  #end(): void {
    this.#lives++
    this.#life = undefined
    this.#deps.network.listen(originOf(this.name), undefined)
  }

  /** The store, with eyes for what becomes durable and for which answer stands for which changes. */
  #observed(store: Store): Store {
    this.durable = new Map(Array.from(store.changes(), (change) => [entityKey(change), change]))
    const { durable } = this
    store.onDurable((changes) => {
      for (const change of changes) durable.set(entityKey(change), change)
    })
    return {
      id: store.id,
      view: store.view,
      health: () => store.health(),
      changes: () => store.changes(),
      onDurable: (listener) => store.onDurable(listener),
      commit: async (decide) => {
        let written: readonly Change[] = []
        const answer = await store.commit((view) => {
          const decision = decide(view)
          const { result, changes = [], isMerge } = decision
          if (changes.length > 0 && typeof result === 'object' && result !== null)
            this.changesBehind.set(result, changes)
          written = isMerge ? [] : changes.filter(({ kind }) => kind === 'receipt')
          return decision
        })
        if (written.length > 0 && this.#life?.store.view === store.view) this.#deps.wrote(this, written)
        return answer
      },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    }
  }
}
