import type { Peer } from '../../../domain/model.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import type { NoteAbout } from '../peer/about.ts'
import { Breaker } from '../peer/breaker.ts'
import { incompatible, isCompatible, type PeerCard, readCard } from '../peer/card.ts'
import type { ReadByCard } from '../peer/card-reader.ts'
import type { DoubtIdentity } from '../peer/pinned-identity.ts'
import type { Exchange, ExchangeReport } from './exchange.ts'

export interface LinkDeps extends Pick<Parts, 'client' | 'clock' | 'timers' | 'random' | 'rules'> {
  doubtIdentity: DoubtIdentity
  readByCard: ReadByCard
  noteAbout: NoteAbout
  /** Called when it is doing better or worse than before. */
  onHealth?: ((agentId: string) => void) | undefined
  /** Makes the exchange that fits what the peer's card says. */
  createExchange(peer: Peer, card: PeerCard, wake: () => void): Exchange
}

/** What is known of a peer besides what is stored of it. */
export interface LinkReport {
  readonly health: 'connecting' | 'healthy' | 'failing' | 'paused' | 'incompatible' | 'stranger'
  readonly lastSeen: Stamp | null
  readonly lastError: string | null
  readonly failures: number
  readonly exchange: ExchangeReport | null
}

/**
 * The daemon's side of one peer, for as long as the peer is approved: connects, keeps an exchange going, and
 * when that fails waits as the breaker says and starts anew. Nobody who calls the daemon ever waits for it.
 */
export class Link {
  readonly #deps: LinkDeps
  readonly #breaker: Breaker
  readonly #ended: Promise<void>
  #peer: Peer
  #exchange: Exchange | undefined
  #isStopped = false
  /** What the exchange was begun on does not hold any more. */
  #isStale = false
  #theirBootId: string | undefined
  #isRepairDue = true
  /** The comparison that is under way; it ends without ever failing. */
  #repairing: Promise<void> | undefined
  /** What a comparison failed with, until it is dealt with. */
  #repairFailure: Fault | undefined
  #isIncompatible = false
  #isStranger = false
  /** Whether it answered when it was last asked who it is. */
  #isReached = false
  #lastSeen: Stamp | null = null
  #lastError: string | null = null
  /** How it was doing when that was told last. */
  #toldHealth = ''
  #resume: () => void = () => {}
  #isWoken = false

  constructor(deps: LinkDeps, peer: Peer) {
    this.#deps = deps
    this.#peer = peer
    this.#breaker = new Breaker(deps.rules.breaker)
    this.#ended = this.#run()
  }

  /** There is something new to send, or a reason to look again. */
  wake(): void {
    this.#isWoken = true
    this.#resume()
  }

  /** Compares states at the next opportunity. */
  repairSoon(): void {
    this.#isRepairDue = true
    this.wake()
  }

  /** The peer registered again: what kept us from it may be over. */
  reconnect(peer: Peer): void {
    this.#peer = peer
    this.#isStale = true
    this.#isIncompatible = false
    this.#isStranger = false
    this.#breaker.succeed()
    this.repairSoon()
  }

  /** The peer started anew: it can be reached, and what it has may be less than it said before. */
  hearBootId(bootId: string): void {
    if (bootId === this.#theirBootId) return
    this.#theirBootId = bootId
    this.reconnect(this.#peer)
  }

  /**
   * The peer called us, so it is back if it was away. When it was there and failed otherwise we go on waiting:
   * two daemons in trouble would wake each other without end.
   */
  hear(): void {
    if (!this.#isReached || this.#isShunned) this.hurry()
  }

  /** What is being waited for after a failure is over. */
  hurry(): void {
    if (this.#breaker.failures === 0 && !this.#isShunned) return
    this.#isIncompatible = false
    this.#isStranger = false
    this.#breaker.succeed()
    this.wake()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.wake()
    await this.#ended
  }

  get isConnected(): boolean {
    return this.#exchange !== undefined
  }

  report(): LinkReport {
    return {
      health: this.#health(),
      lastSeen: this.#lastSeen,
      lastError: this.#lastError,
      failures: this.#breaker.failures,
      exchange: this.#exchange?.report() ?? null,
    }
  }

  /** Nothing is said to it before it has changed, or says something itself. */
  get #isShunned(): boolean {
    return this.#isIncompatible || this.#isStranger
  }

  #health(): LinkReport['health'] {
    if (this.#isIncompatible) return 'incompatible'
    if (this.#isStranger) return 'stranger'
    if (this.#breaker.isOpen) return 'paused'
    if (this.#breaker.failures > 0) return 'failing'
    return this.#exchange === undefined ? 'connecting' : 'healthy'
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#work()
        this.#tellHealth()
        await this.#sleep(null)
      } catch (error) {
        await this.#endExchange()
        this.#lastError = Fault.from(error).message
        const { random, rules } = this.#deps
        const pause = this.#isShunned ? rules.breaker.openMillis : this.#breaker.fail(random())
        this.#tellHealth()
        await this.#sleep(pause)
      }
    }
    await this.#endExchange()
  }

  #tellHealth(): void {
    const health = `${this.#health()} ${this.#lastError}`
    if (health === this.#toldHealth) return
    this.#toldHealth = health
    this.#deps.onHealth?.(this.#peer.agent_id)
  }

  async #work(): Promise<void> {
    if (this.#isStale) await this.#endExchange()
    this.#isStale = false
    if (this.#breaker.isOpen) await this.#ask('/health')
    const exchange = this.#exchange ?? (await this.#connect())
    this.#exchange = exchange
    await exchange.push()
    if (this.#isRepairDue && this.#repairing === undefined) {
      this.#isRepairDue = false
      this.#repairing = this.#repair(exchange)
      await exchange.push()
    }
    if (this.#repairFailure !== undefined) throw this.#repairFailure
    this.#lastSeen = this.#deps.clock.now()
    // Were pushing enough, a peer that cannot be compared with would be asked again and again without a pause.
    if (this.#repairing !== undefined) return
    this.#breaker.succeed()
    this.#lastError = null
  }

  /** Beside pushing, which must not wait for it: in a large state there is much to compare. */
  async #repair(exchange: Exchange): Promise<void> {
    try {
      await exchange.repair()
    } catch (error) {
      this.#repairFailure = Fault.from(error)
    }
    this.#repairing = undefined
    this.wake()
  }

  async #connect(): Promise<Exchange> {
    const card = readCard(await this.#ask('/.well-known/agent.json'))
    this.#isIncompatible = !isCompatible(card)
    if (this.#isIncompatible) throw incompatible(card)
    const peer = await this.#deps.readByCard(this.#peer, card)
    const ask = (path: string) => this.#ask(path)
    const doubt = await this.#deps.doubtIdentity(peer.agent_id, card.identity, ask)
    this.#isStranger = doubt !== undefined
    if (doubt !== undefined) throw doubt
    await this.#deps.noteAbout(peer.agent_id, card.about)
    const exchange = this.#deps.createExchange(peer, card, () => this.wake())
    try {
      await exchange.begin()
    } catch (error) {
      // Nobody will hear of it again, and it must not save what it knows after the next one has.
      await exchange.end().catch(() => {})
      throw error
    }
    this.#isRepairDue = true
    return exchange
  }

  async #ask(path: string): Promise<string> {
    const { client, rules } = this.#deps
    this.#isReached = false
    const answer = await client.get(this.#peer.endpoint + path, rules.probeMillis, this.#peer.agent_id)
    this.#isReached = true
    return answer
  }

  async #endExchange(): Promise<void> {
    const exchange = this.#exchange
    this.#exchange = undefined
    await exchange?.end().catch((error: unknown) => {
      this.#lastError = Fault.from(error).message
    })
    await this.#repairing
    this.#repairFailure = undefined
  }

  /** Until woken, or for so long. A wake that came meanwhile counts, except while waiting after a failure. */
  async #sleep(millis: number | null): Promise<void> {
    if (this.#isStopped) return
    if (millis === null && this.#isWoken) {
      this.#isWoken = false
      return
    }
    await new Promise<void>((resolve) => {
      const cancel = millis === null ? () => {} : this.#deps.timers.after(millis, resolve)
      this.#resume = () => {
        const mustWait = this.#isShunned || (millis !== null && this.#breaker.failures > 0)
        if (mustWait && !this.#isStopped) return
        cancel()
        resolve()
      }
    })
    this.#isWoken = false
    this.#resume = () => {}
  }
}
