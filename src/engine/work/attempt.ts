import { Fault, type FaultKind } from '../../protocol/fault.ts'
import type { Timers } from '../ports/ports.ts'
import type { AgentWire } from '../ports/work-ports.ts'
import { type Ending, endingOfBadMessage, endingOfStatus, failure, unavailable } from './endings.ts'

export interface AttemptDeps {
  readonly wire: AgentWire
  readonly timers: Timers
  readonly url: string
  readonly agentId: string
  readonly body: string
  readonly silenceMillis: number
  /** Aborted when the result is not wanted any more. */
  readonly signal: AbortSignal
  /** Takes in a message. Throws a Fault for an invalid one. */
  readonly take: (message: unknown) => MessageMeaning
}

/** What a message says: how the work ended, that the agent is working on it, or only that the agent is alive. */
export type MessageMeaning = Ending | 'working' | 'alive'

export interface AttemptResult {
  readonly ending: Ending
  /** How many messages reported progress of the work. */
  readonly heard: number
}

/** The kinds of Fault for messages that arrived but are not valid. */
const BAD_MESSAGE: ReadonlySet<FaultKind> = new Set(['invalid_params', 'unsupported_work_type', 'too_large'])

/**
 * Sends the request once and follows the answer: a stream, or an acknowledgement after which the agent sends messages
 * on its own. Ends also when the agent is silent for too long.
 */
export class WorkAttempt {
  readonly #deps: AttemptDeps
  readonly #line = new AbortController()
  #heard = 0
  #isSilent = false
  #stopWatch = () => {}
  #unasked: Ending | undefined
  #endWaiting: (ending: Ending) => void = () => {}

  constructor(deps: AttemptDeps) {
    this.#deps = deps
  }

  async run(): Promise<AttemptResult> {
    const { signal } = this.#deps
    const hangUp = () => this.#line.abort()
    signal.addEventListener('abort', hangUp)
    if (signal.aborted) hangUp()
    try {
      this.#watch()
      const ending = (await this.#ask()) ?? (await this.#untilEnding())
      return { ending, heard: this.#heard }
    } catch (error) {
      return { ending: this.#endingOf(Fault.from(error)), heard: this.#heard }
    } finally {
      this.#stopWatch()
      signal.removeEventListener('abort', hangUp)
      hangUp()
    }
  }

  /**
   * To be called for a message that the agent sent on its own. An ending counts only if the request itself was merely
   * acknowledged.
   */
  hear(ending: Ending | undefined): void {
    if (this.#line.signal.aborted) return
    this.#watch()
    if (ending === undefined) return
    this.#unasked = ending
    this.#endWaiting(ending)
  }

  #endingOf(fault: Fault): Ending {
    const { silenceMillis, agentId } = this.#deps
    if (this.#isSilent) return silent(silenceMillis)
    return BAD_MESSAGE.has(fault.kind) ? endingOfBadMessage(fault) : absent(fault.message, agentId)
  }

  /** How the work ended; undefined when the request was acknowledged and the result is still to come. */
  async #ask(): Promise<Ending | undefined> {
    const { wire, url, agentId, body } = this.#deps
    const { status, isStream, messages } = await wire.post(url, { body, to: agentId }, this.#line.signal)
    let isAcknowledged = false
    for await (const message of messages) {
      const taken = this.#take(message, status)
      this.#watch()
      if (taken === 'alive') continue
      if (taken !== 'working') return taken
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

  #take(message: unknown, status: number): MessageMeaning {
    const { take, agentId } = this.#deps
    try {
      return take(message)
    } catch (error) {
      // A proxy in front of the agent answers errors in its own format.
      if (status >= 300) return endingOfStatus(status, agentId)
      throw error
    }
  }

  #watch(): void {
    const { timers, silenceMillis } = this.#deps
    this.#stopWatch()
    this.#stopWatch = timers.after(silenceMillis, () => {
      this.#isSilent = true
      this.#line.abort()
    })
  }

  #untilEnding(): Promise<Ending> {
    const { signal } = this.#line
    return new Promise((resolve, reject) => {
      this.#endWaiting = resolve
      if (this.#unasked !== undefined) resolve(this.#unasked)
      const leave = () => reject(new Fault('unavailable', 'The result is not wanted any more'))
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
  }
}

const absent = (message: string, agentId: string): Ending =>
  unavailable(message, { agent_id: agentId, last_heartbeat: null })

const silent = (millis: number): Ending =>
  failure(5001, `The agent said nothing for ${Math.round(millis / 100) / 10} s`, {})
