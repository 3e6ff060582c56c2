import { agentCard } from '../../src/describe/agent-card.ts'
import { describedMethods } from '../../src/describe/openrpc.ts'
import type { Caller, Env, Self } from '../../src/domain/env.ts'
import { pinnedOf } from '../../src/domain/lookup.ts'
import { Registration } from '../../src/domain/peers/peers.ts'
import type { Unsigned } from '../../src/domain/statements/say.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { PROOF_PATH, PROOF_TYP, proofClaims } from '../../src/domain/trust/proof.ts'
import type { PublicKey } from '../../src/domain/trust/trust.ts'
import { createEngine, type Engine } from '../../src/engine/compose.ts'
import type { Hub } from '../../src/engine/ports/hub.ts'
import type { Clock, PeerClient, Random, Store, Timers, VerifyText } from '../../src/engine/ports/ports.ts'
import type { Exchange } from '../../src/engine/replicate/link/exchange.ts'
import type { ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { createIdentify } from '../../src/http/guard/identify.ts'
import { createJsonRpc, type Reply } from '../../src/http/rpc/json-rpc.ts'
import type { Disk } from '../../src/io/store/directory/disk.ts'
import { openStore } from '../../src/io/store/open-store.ts'
import type { AnyMethod } from '../../src/methods/row.ts'
import type { Fault } from '../../src/protocol/fault.ts'
import { jsonText } from '../../src/protocol/json/text.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { sha256 } from '../../src/protocol/text/sha256.ts'
import type { Door, VirtualNetwork } from '../support/network/virtual-network.ts'
import { SimulatedDisk } from '../support/simulated/disk.ts'
import {
  type ByAndBy,
  SimulatedIdentity,
  verifyingTexts,
  verifySimulated,
} from '../support/simulated/identity.ts'
import type { VirtualTime } from '../support/simulated/virtual-time.ts'
import { agentOf, nameAt, originOf, repoOf, START } from './names.ts'
import { observed, type Renewal } from './observed-store.ts'
import type { State } from './state.ts'

/** Puts a fault into daemons: what a planted bug does to the parts they are made of. */
export interface Sabotage {
  readonly client?: (client: PeerClient, daemon: SimDaemon) => PeerClient
  readonly store?: (store: Store, daemon: SimDaemon) => Store
  readonly exchange?: (exchange: Exchange, daemon: SimDaemon) => Exchange
  readonly methods?: (methods: readonly AnyMethod[], daemon: SimDaemon) => readonly AnyMethod[]
  readonly disk?: (disk: Disk, daemon: SimDaemon) => Disk
  readonly clock?: (clock: Clock, daemon: SimDaemon) => Clock
  readonly verifyText?: (verify: VerifyText, daemon: SimDaemon) => VerifyText
  readonly hub?: (hub: Hub, daemon: SimDaemon) => Hub
}

export interface SimDaemonDeps {
  readonly time: VirtualTime
  readonly network: VirtualNetwork
  readonly random: Random
  readonly rules: ReplicationRules
  readonly compactBytes: number
  /** How long it takes to sign and to check. */
  readonly byAndBy: ByAndBy
  /** What the mode of the simulation switches off. */
  readonly exchange: (exchange: Exchange) => Exchange
  readonly sabotage: Sabotage
  readonly newId: () => string
  /** The hub as this daemon sees it, if it is on one. */
  readonly hubOf: (daemon: SimDaemon, isAlive: () => boolean) => Hub | undefined
  /** Told when a process is gone. */
  readonly gone: (daemon: SimDaemon) => void
  /** Told of the sightings that are on disk: nobody waits for an answer about them. */
  readonly wrote: (daemon: SimDaemon, sightings: readonly Unsigned[]) => void
  /** Told what was said again, and what was dropped for it. */
  readonly renewed: (before: Statement, after: Unsigned) => void
  /** Told that a daemon left what it said ahead of its clock until its time comes. */
  readonly left: (daemon: SimDaemon) => void
  readonly trace: (line: string) => void
  /** Told of every failure that nobody may ever see. */
  readonly report: (fault: Fault) => void
}

const METHODS = describedMethods({ version: '0.0.0' }).methods
const DIRECTORY = '/data'

/** Who a daemon is introduced to: another one, with the key that it shows where there is one. */
export interface Acquaintance extends Registration {
  readonly identity?: PublicKey
}

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
  identity: SimulatedIdentity
  /** Everything that its disk has for certain, also while the process is down. */
  durable: State = new Map()
  /** What was said with an answer. */
  readonly saidWith = new WeakMap<object, readonly Unsigned[]>()
  readonly #deps: SimDaemonDeps
  #life: Life | undefined
  #lives = 0
  #identities = 0
  readonly #doubtful = new Set<Renewal>()

  constructor(name: string, deps: SimDaemonDeps) {
    this.name = name
    this.#deps = deps
    this.disk = new SimulatedDisk(deps.random)
    this.identity = new SimulatedIdentity(name, deps.byAndBy)
  }

  get isUp(): boolean {
    return this.#life !== undefined
  }

  get life(): Life {
    if (this.#life === undefined) throw new TypeError(`${this.name} is down`)
    return this.#life
  }

  get acquaintance(): Acquaintance {
    const { name } = this
    const registration = { agentId: agentOf(name), endpoint: originOf(name), repoName: repoOf(name) }
    return { ...registration, identity: this.identity.publicKey }
  }

  async start(): Promise<void> {
    const { time, network, random, rules, compactBytes, sabotage, newId, report, byAndBy } = this.#deps
    const identity = this.identity.reopened()
    this.identity = identity
    const number = ++this.#lives
    const isAlive = () => number === this.#lives
    const newNonce = () => sha256(`nonce ${newId()}`, 'base64url').slice(0, 22)
    const clock: Clock = {
      now: () => stampOfMillis(START + time.now + this.clockOffset * 1000),
      newId,
      newNonce,
    }
    const disk = sabotage.disk?.(this.disk, this) ?? this.disk
    const timers: Timers = {
      millis: () => time.millis(),
      after: (millis, task) => time.after(millis, () => isAlive() && task()),
    }
    const sign = (id: string, keyId: string) => identity.signStatement(id, keyId)
    const opened = await openStore({ directory: DIRECTORY, disk, clock, compactBytes, timers, sign })
    if (!isAlive()) return
    const self: Self = {
      agentId: agentOf(this.name),
      repo: repoOf(this.name),
      role: 'backend',
      language: 'typescript',
      endpoint: originOf(this.name),
      storeId: opened.store.id,
      get signer() {
        return { publicKey: identity.publicKey, keyId: identity.keyId }
      },
    }
    const client = network.clientOf(originOf(this.name), isAlive)
    const store = observed(sabotage.store?.(opened.store, this) ?? opened.store, {
      durable: this.#forgetDurable(),
      saidWith: this.saidWith,
      wrote: (sightings) => {
        if (this.#life?.store.view === store.view) this.#deps.wrote(this, sightings)
      },
      renewed: this.#deps.renewed,
      doubtful: this.#doubtful,
    })
    const methods = sabotage.methods?.(METHODS, this) ?? METHODS
    const verifyText = verifyingTexts(byAndBy)
    const hub = this.#deps.hubOf(this, isAlive)
    const engine = createEngine({
      methods,
      self,
      store,
      files: opened.files,
      clock: sabotage.clock?.(clock, this) ?? clock,
      timers,
      random,
      client: sabotage.client?.(client, this) ?? client,
      identity,
      verify: verifySimulated,
      verifyText: sabotage.verifyText?.(verifyText, this) ?? verifyText,
      newSecret: newNonce,
      rules,
      hub: hub && (sabotage.hub?.(hub, this) ?? hub),
      wrapExchange: (exchange) => this.#deps.exchange(sabotage.exchange?.(exchange, this) ?? exchange),
      onClockRepaired: ({ count, left }, sentence) => {
        this.#deps.trace(`${this.name} ${sentence}: ${count} and ${left}`)
        if (left > 0) this.#deps.left(this)
      },
      failed: (error) => this.#deps.trace(`${this.name} could not do something now: ${error}`),
    })
    await engine.begin()
    if (!isAlive()) return
    this.#life = { engine, store }
    const rpc = createJsonRpc({ methods: engine.methods, answer: engine.answer, report })
    const identify = createIdentify({
      self,
      operatorKey: '-',
      open: true,
      view: store.view,
      clock,
      readToken: engine.readToken,
    })
    /** Who was paired is known by its key, as over a connection that proves it; others as they call themselves. */
    const callerFrom = async (agentId: string): Promise<Caller> => {
      const peer = store.view.peers.get(agentId)
      if (peer?.trust !== 'approved') return identify({ 'x-agent-id': agentId })
      return { kind: 'peer', agentId, repoName: peer.repo_name || null, ...pinnedOf(peer) }
    }
    const door: Door = async ({ from, path, body }) => {
      if (path === '/.well-known/agent.json')
        return { status: 200, text: JSON.stringify(agentCard(self, { version: '0.0.0', identity })) }
      if (path === '/health') return { status: 200, text: '{}' }
      if (path.startsWith(PROOF_PATH)) {
        const proof = { challenge: path.slice(PROOF_PATH.length + 1), agentId: self.agentId }
        const claims = proofClaims({ ...proof, endpoint: self.endpoint, address: '', iat: 0 })
        return { status: 200, text: JSON.stringify({ proof: await identity.sign(claims, PROOF_TYP) }) }
      }
      const caller = await callerFrom(agentOf(nameAt(from)))
      if (path === '/peers/register') {
        const env: Env = { caller, self, now: clock.now(), newId, newNonce, attachment: null }
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

  /** Its keys are gone for good; it is somebody else from now on, under the same name. */
  loseIdentity(): void {
    this.identity = new SimulatedIdentity(`${this.name}, anew ${++this.#identities}`, this.#deps.byAndBy)
  }

  /** A call of this daemon's own agent. */
  call(method: string, params: object): Promise<unknown> {
    const caller = { kind: 'operator' as const, agentId: agentOf(this.name), repoName: repoOf(this.name) }
    return this.life.engine.dispatch({ method, params, caller, idempotencyKey: undefined })
  }

  /** Lets another one in, as pairing does: its key is pinned. */
  async meet({ identity, ...registration }: Acquaintance): Promise<void> {
    const { engine, store } = this.life
    const register = () =>
      engine.services.peers.register(registration, {
        caller: { kind: 'operator', agentId: agentOf(this.name), repoName: repoOf(this.name) },
        now: stampOfMillis(START),
        newId: this.#deps.newId,
        newNonce: this.#deps.newId,
        attachment: null,
        self: { agentId: agentOf(this.name) } as Self,
      })
    await register()
    if (identity === undefined) return
    await store.commit((view) => {
      const peer = view.peers.get(registration.agentId)
      if (peer === undefined) return { result: undefined }
      return {
        result: undefined,
        local: [{ table: 'peer', id: peer.agent_id, value: { ...peer, identity } }],
      }
    })
    // So that the exchange with it is begun anew, by what is known of it now.
    await register()
  }

  /** What another life finds on the disk is told by its store. */
  #forgetDurable(): Map<string, Statement> {
    const durable = new Map<string, Statement>()
    this.durable = durable
    return durable
  }

  #end(): void {
    this.#lives++
    this.#life = undefined
    this.#deps.gone(this)
    this.#deps.network.listen(originOf(this.name), undefined)
  }
}
