import { Fault } from '../../protocol/fault.ts'
import type { Timers } from '../ports.ts'
import type { AgentWire } from '../work-ports.ts'
import { type Ending, endingOfBadMessage, endingOfStatus, failure, unavailable } from './endings.ts'

export interface Asking {
  readonly wire: AgentWire
  readonly timers: Timers
  readonly url: string
  readonly agentId: string
  /** The request; a message of its own each time it is sent. */
  readonly body: () => string
  readonly silenceMillis: number
  readonly pollMillis: number
  /** When nobody wants to know any more. */
  readonly signal: AbortSignal
  /** Takes in a message, and answers how the work ended if that is what it says. Throws a Fault for what it cannot read. */
  readonly take: (message: unknown) => Ending | undefined
}

export interface Exchanged {
  readonly ending: Ending
  /** How many messages came. */
  readonly heard: number
}

/**
 * Sends the request once and follows what comes of it: as a stream, or by asking again and again with the same
 * request, which the agent answers with how far it is. Ends also when the agent is silent for too long.
 */
export async function exchange(asking: Asking): Promise<Exchanged> {
  const { wire, timers, url, agentId, silenceMillis, pollMillis, signal, take } = asking
  const line = new AbortController()
  const hangUp = () => line.abort()
  let isSilent = false
  let stopWatch = () => {}
  let heard = 0
  const watch = () => {
    stopWatch()
    stopWatch = timers.after(silenceMillis, () => {
      isSilent = true
      hangUp()
    })
  }
  signal.addEventListener('abort', hangUp)
  if (signal.aborted) hangUp()

  async function ask(): Promise<Ending | undefined> {
    const { status, isStream, messages } = await wire.post(
      url,
      { body: asking.body(), to: agentId },
      line.signal,
    )
    let isAcknowledged = false
    for await (const message of messages) {
      if (message === undefined && status >= 300) return endingOfStatus(status, agentId)
      watch()
      heard++
      isAcknowledged = true
      const ending = take(message)
      if (ending !== undefined) return ending
    }
    if (!isAcknowledged && status >= 300) return endingOfStatus(status, agentId)
    if (isStream || !isAcknowledged)
      return unavailable('The agent broke off before the end', { agent_id: agentId, last_heartbeat: null })
    return undefined
  }

  try {
    for (;;) {
      watch()
      const ending = await ask()
      if (ending !== undefined) return { ending, heard }
      await pause(pollMillis)
    }
  } catch (error) {
    const fault = Fault.from(error)
    if (isSilent) return { ending: silent(silenceMillis), heard }
    if (fault.kind === 'invalid_params' || fault.kind === 'unsupported_work_type')
      return { ending: endingOfBadMessage(fault), heard }
    return { ending: unavailable(fault.message, { agent_id: agentId, last_heartbeat: null }), heard }
  } finally {
    stopWatch()
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }

  function pause(millis: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = timers.after(millis, done)
      function done() {
        cancel()
        line.signal.removeEventListener('abort', leave)
        resolve()
      }
      function leave() {
        cancel()
        reject(new Fault('unavailable', 'Nobody wants to know any more'))
      }
      line.signal.addEventListener('abort', leave, { once: true })
      if (line.signal.aborted) leave()
    })
  }
}

const silent = (millis: number): Ending =>
  failure(5001, `The agent said nothing for ${Math.round(millis / 100) / 10} s`, {})
