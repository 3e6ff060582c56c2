import { Fault, type FaultKind } from '../../protocol/fault.ts'
import type { Timers } from '../ports/ports.ts'
import type { AgentWire } from '../ports/work-ports.ts'
import { type Ending, endingOfBadMessage, endingOfStatus, failure, unavailable } from './endings.ts'

export interface Asking {
  readonly wire: AgentWire
  readonly timers: Timers
  readonly url: string
  readonly agentId: string
  /** The request. */
  readonly body: string
  readonly silenceMillis: number
  /** When nobody wants to know any more. */
  readonly signal: AbortSignal
  /** Takes in a message. Throws a Fault for what it cannot take. */
  readonly take: (message: unknown) => Taken
}

/** What a message says: how the work ended, that the agent is at it, or only that the agent is there. */
export type Taken = Ending | 'at work' | 'there'

export interface Exchanged {
  readonly ending: Ending
  /** How many messages said how far the work is. */
  readonly heard: number
}

/** Of messages that were received and cannot be taken. */
const BAD_MESSAGE: ReadonlySet<FaultKind> = new Set(['invalid_params', 'unsupported_work_type', 'too_large'])

/**
 * Sends the request once and follows what comes of it: as a stream, or by what the agent brings by itself after it
 * has acknowledged the request. Ends also when the agent is silent for too long.
 */
export class Exchange {
  readonly #asking: Asking
  readonly #line = new AbortController()
  #heard = 0
  #isSilent = false
  #stopWatch = () => {}
  #brought: Ending | undefined
  #endWaiting: (ending: Ending) => void = () => {}

  constructor(asking: Asking) {
    this.#asking = asking
  }

  async run(): Promise<Exchanged> {
    const { signal, silenceMillis, agentId } = this.#asking
    const hangUp = () => this.#line.abort()
    signal.addEventListener('abort', hangUp)
    if (signal.aborted) hangUp()
    try {
      this.#watch()
      const ending = (await this.#ask()) ?? (await this.#untilBrought())
      return { ending, heard: this.#heard }
    } catch (error) {
      const fault = Fault.from(error)
      if (this.#isSilent) return { ending: silent(silenceMillis), heard: this.#heard }
      if (BAD_MESSAGE.has(fault.kind)) return { ending: endingOfBadMessage(fault), heard: this.#heard }
      return { ending: absent(fault.message, agentId), heard: this.#heard }
    } finally {
      this.#stopWatch()
      signal.removeEventListener('abort', hangUp)
      hangUp()
    }
  }

  /** The agent brought something by itself. An ending counts where the request itself was only acknowledged. */
  hear(ending: Ending | undefined): void {
    if (this.#line.signal.aborted) return
    this.#watch()
    if (ending === undefined) return
    this.#brought = ending
    this.#endWaiting(ending)
  }

  /** How it ended; undefined when the request was acknowledged, and the rest is to come. */
  async #ask(): Promise<Ending | undefined> {
    const { wire, url, agentId, body } = this.#asking
    const { status, isStream, messages } = await wire.post(url, { body, to: agentId }, this.#line.signal)
    let isAcknowledged = false
    for await (const message of messages) {
      const taken = this.#take(message, status)
      this.#watch()
      if (taken === 'there') continue
      if (taken !== 'at work') return taken
      this.#heard++
      isAcknowledged = true
    }
    if (isAcknowledged && !isStream) return undefined
    if (status >= 300) return endingOfStatus(status, agentId)
    return absent(
      isStream
        ? 'The agent broke off before the end'
        : `The agent answered ${status} without a word about the work`,
      agentId,
    )
  }

  #take(message: unknown, status: number): Taken {
    const { take, agentId } = this.#asking
    try {
      return take(message)
    } catch (error) {
      // A proxy, or whatever else stands before the agent, has words of its own for what is wrong.
      if (status >= 300) return endingOfStatus(status, agentId)
      throw error
    }
  }

  #watch(): void {
    const { timers, silenceMillis } = this.#asking
    this.#stopWatch()
    this.#stopWatch = timers.after(silenceMillis, () => {
      this.#isSilent = true
      this.#line.abort()
    })
  }

  #untilBrought(): Promise<Ending> {
    const { signal } = this.#line
    return new Promise((resolve, reject) => {
      this.#endWaiting = resolve
      if (this.#brought !== undefined) resolve(this.#brought)
      const leave = () => reject(new Fault('unavailable', 'Nobody wants to know any more'))
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
  }
}

const absent = (message: string, agentId: string): Ending =>
  unavailable(message, { agent_id: agentId, last_heartbeat: null })

const silent = (millis: number): Ending =>
  failure(5001, `The agent said nothing for ${Math.round(millis / 100) / 10} s`, {})
