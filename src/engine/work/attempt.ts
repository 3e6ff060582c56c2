import { Fault, type FaultKind } from '../../protocol/fault.ts'
import type { DelegationDeps } from './delegation.ts'
import { absent, type Ending, endingOfBadMessage, endingOfStatus, failure } from './endings.ts'

export interface AttemptDeps extends Pick<DelegationDeps, 'wire' | 'timers'> {
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

/** The kinds of Fault for messages that arrived but are not valid. */
const BAD_MESSAGE: ReadonlySet<FaultKind> = new Set(['invalid_params', 'unsupported_work_type', 'too_large'])

export type WorkAttempt = ReturnType<typeof createWorkAttempt>

/**
 * Sends the request once and follows the answer: a stream, or an acknowledgement after which the agent sends messages
 * on its own. Ends also when the agent is silent for too long.
 */
export function createWorkAttempt(deps: AttemptDeps) {
  const { wire, timers, url, agentId, body, silenceMillis, take } = deps
  const line = new AbortController()
  const signal = AbortSignal.any([deps.signal, line.signal])
  /** How many messages reported progress of the work. */
  let heard = 0
  let isSilent = false
  let stopWatch = () => {}
  let unasked: Ending | undefined
  let endWaiting: (ending: Ending) => void = () => {}

  return { run, hear }

  async function run() {
    try {
      watch()
      const ending = (await ask()) ?? (await untilEnding())
      return { ending, heard }
    } catch (error) {
      return { ending: endingOf(Fault.from(error)), heard }
    } finally {
      stopWatch()
      line.abort()
    }
  }

  /**
   * To be called for a message that the agent sent on its own. An ending counts only if the request itself was merely
   * acknowledged.
   */
  function hear(ending: Ending | undefined): void {
    if (signal.aborted) return
    watch()
    if (ending === undefined) return
    unasked = ending
    endWaiting(ending)
  }

  function endingOf(fault: Fault): Ending {
    if (isSilent)
      return failure(5001, `The agent said nothing for ${Math.round(silenceMillis / 100) / 10} s`, {})
    return BAD_MESSAGE.has(fault.kind) ? endingOfBadMessage(fault) : absent(fault.message, agentId)
  }

  /** How the work ended; undefined when the request was acknowledged and the result is still to come. */
  async function ask(): Promise<Ending | undefined> {
    const { status, isStream, messages } = await wire.post(url, { body, to: agentId }, signal)
    let isAcknowledged = false
    for await (const message of messages) {
      const taken = meaningOf(message, status)
      watch()
      if (taken === 'alive') continue
      if (taken !== 'working') return taken
      heard++
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

  function meaningOf(message: unknown, status: number): MessageMeaning {
    try {
      return take(message)
    } catch (error) {
      // A proxy in front of the agent answers errors in its own format.
      if (status >= 300) return endingOfStatus(status, agentId)
      throw error
    }
  }

  function watch(): void {
    stopWatch()
    stopWatch = timers.after(silenceMillis, () => {
      isSilent = true
      line.abort()
    })
  }

  function untilEnding(): Promise<Ending> {
    return new Promise((resolve, reject) => {
      endWaiting = resolve
      if (unasked !== undefined) resolve(unasked)
      const leave = () => reject(new Fault('unavailable', 'The result is not wanted any more'))
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
  }
}
