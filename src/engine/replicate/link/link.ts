import type { Peer } from '../../../domain/model.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import type { NoteAbout } from '../peer/about.ts'
import { createBreaker } from '../peer/breaker.ts'
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

export type Link = ReturnType<typeof createLink>

/**
 * The daemon's side of one peer, for as long as the peer is approved: connects, keeps an exchange going, and
 * when that fails waits as the breaker says and starts anew. Nobody who calls the daemon ever waits for it.
 */
export function createLink(deps: LinkDeps, registered: Peer) {
  const { client, clock, timers, random, rules, onHealth } = deps
  const breaker = createBreaker(rules.breaker)
  let peer = registered
  let exchange: Exchange | undefined
  let isStopped = false
  /** What the exchange was begun on does not hold any more. */
  let isStale = false
  let theirBootId: string | undefined
  let isRepairDue = true
  /** The comparison that is under way; it ends without ever failing. */
  let repairing: Promise<void> | undefined
  /** What a comparison failed with, until it is dealt with. */
  let repairFailure: Fault | undefined
  let isIncompatible = false
  let isStranger = false
  /** Whether it answered when it was last asked who it is. */
  let isReached = false
  let lastSeen: Stamp | null = null
  let lastError: string | null = null
  /** How it was doing when that was told last. */
  let toldHealth = ''
  let resume = () => {}
  let isWoken = false
  const ended = run()

  return {
    wake,
    repairSoon,
    reconnect,
    hurry,

    /** The peer started anew: it can be reached, and what it has may be less than it said before. */
    hearBootId(bootId: string): void {
      if (bootId === theirBootId) return
      theirBootId = bootId
      reconnect(peer)
    },

    /**
     * The peer called us, so it is back if it was away. When it was there and failed otherwise we go on waiting:
     * two daemons in trouble would wake each other without end.
     */
    hear(): void {
      if (!isReached || isShunned()) hurry()
    },

    async stop(): Promise<void> {
      isStopped = true
      wake()
      await ended
    },

    get isConnected(): boolean {
      return exchange !== undefined
    },

    report: (): LinkReport => ({
      health: healthNow(),
      lastSeen,
      lastError,
      failures: breaker.failures,
      exchange: exchange?.report() ?? null,
    }),
  }

  /** There is something new to send, or a reason to look again. */
  function wake(): void {
    isWoken = true
    resume()
  }

  /** Compares states at the next opportunity. */
  function repairSoon(): void {
    isRepairDue = true
    wake()
  }

  /** The peer registered again: what kept us from it may be over. */
  function reconnect(again: Peer): void {
    peer = again
    isStale = true
    isIncompatible = false
    isStranger = false
    breaker.succeed()
    repairSoon()
  }

  /** What is being waited for after a failure is over. */
  function hurry(): void {
    if (breaker.failures === 0 && !isShunned()) return
    isIncompatible = false
    isStranger = false
    breaker.succeed()
    wake()
  }

  /** Nothing is said to it before it has changed, or says something itself. */
  function isShunned(): boolean {
    return isIncompatible || isStranger
  }

  function healthNow(): LinkReport['health'] {
    if (isIncompatible) return 'incompatible'
    if (isStranger) return 'stranger'
    if (breaker.isOpen) return 'paused'
    if (breaker.failures > 0) return 'failing'
    return exchange === undefined ? 'connecting' : 'healthy'
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await work()
        tellHealth()
        await sleep(null)
      } catch (error) {
        await endExchange()
        lastError = Fault.from(error).message
        const pause = isShunned() ? rules.breaker.openMillis : breaker.fail(random())
        tellHealth()
        await sleep(pause)
      }
    }
    await endExchange()
  }

  function tellHealth(): void {
    const health = `${healthNow()} ${lastError}`
    if (health === toldHealth) return
    toldHealth = health
    onHealth?.(peer.agent_id)
  }

  async function work(): Promise<void> {
    if (isStale) await endExchange()
    isStale = false
    if (breaker.isOpen) await ask('/health')
    const current = exchange ?? (await connect())
    exchange = current
    await current.push()
    if (isRepairDue && repairing === undefined) {
      isRepairDue = false
      repairing = repair(current)
      await current.push()
    }
    if (repairFailure !== undefined) throw repairFailure
    lastSeen = clock.now()
    // Were pushing enough, a peer that cannot be compared with would be asked again and again without a pause.
    if (repairing !== undefined) return
    breaker.succeed()
    lastError = null
  }

  /** Beside pushing, which must not wait for it: in a large state there is much to compare. */
  async function repair(current: Exchange): Promise<void> {
    try {
      await current.repair()
    } catch (error) {
      repairFailure = Fault.from(error)
    }
    repairing = undefined
    wake()
  }

  async function connect(): Promise<Exchange> {
    const card = readCard(await ask('/.well-known/agent.json'))
    isIncompatible = !isCompatible(card)
    if (isIncompatible) throw incompatible(card)
    const known = await deps.readByCard(peer, card)
    const doubt = await deps.doubtIdentity(known.agent_id, card.identity, ask)
    isStranger = doubt !== undefined
    if (doubt !== undefined) throw doubt
    await deps.noteAbout(known.agent_id, card.about)
    const made = deps.createExchange(known, card, wake)
    try {
      await made.begin()
    } catch (error) {
      // Nobody will hear of it again, and it must not save what it knows after the next one has.
      await made.end().catch(() => {})
      throw error
    }
    isRepairDue = true
    return made
  }

  async function ask(path: string): Promise<string> {
    isReached = false
    const answer = await client.get(peer.endpoint + path, rules.probeMillis, peer.agent_id)
    isReached = true
    return answer
  }

  async function endExchange(): Promise<void> {
    const last = exchange
    exchange = undefined
    await last?.end().catch((error: unknown) => {
      lastError = Fault.from(error).message
    })
    await repairing
    repairFailure = undefined
  }

  /** Until woken, or for so long. A wake that came meanwhile counts, except while waiting after a failure. */
  async function sleep(millis: number | null): Promise<void> {
    if (isStopped) return
    if (millis === null && isWoken) {
      isWoken = false
      return
    }
    await new Promise<void>((resolve) => {
      const cancel = millis === null ? () => {} : timers.after(millis, resolve)
      resume = () => {
        const mustWait = isShunned() || (millis !== null && breaker.failures > 0)
        if (mustWait && !isStopped) return
        cancel()
        resolve()
      }
    })
    isWoken = false
    resume = () => {}
  }
}
