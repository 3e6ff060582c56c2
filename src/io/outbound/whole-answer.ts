import type { Agent, Dispatcher } from 'undici'
import { Fault } from '../../protocol/fault.ts'
import { isHeavyJson } from '../../protocol/json/heavy-json.ts'
import type { OutboundRequest, WholeAnswer } from './outbound-request.ts'

/**
 * Sends a request, and reads all of its answer. Peers are called so often that undici's own streams and signals for an
 * answer would cost more than the answer: its chunks are taken as they come, and one timer bounds all of it.
 */
export function wholeAnswer(
  agent: Agent,
  request: Dispatcher.DispatchOptions & { origin: string },
  { who, millis, signal, limits }: Pick<OutboundRequest, 'millis' | 'signal' | 'limits'> & { who: string },
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let status = 0
    let running: Dispatcher.DispatchController | undefined
    let reason: Error | undefined

    const breakOff = (why: Error) => {
      reason ??= why
      running?.abort(reason)
      fail(reason)
    }
    const onAbort = () => breakOff(signal?.reason)
    const onTimeout = () => breakOff(new DOMException('The answer did not come in time', 'TimeoutError'))
    const timer = millis === undefined ? undefined : setTimeout(onTimeout, millis).unref()
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (why: Error) => {
      settle()
      reject(why)
    }
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener('abort', onAbort)

    agent.dispatch(request, {
      onRequestStart(controller) {
        running = controller
        if (reason !== undefined) controller.abort(reason)
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode
      },
      onResponseData(_controller, chunk) {
        length += chunk.length
        if (limits !== undefined && length > limits.bytes) breakOff(tooMuch(who))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        settle()
        const text = Buffer.concat(chunks).toString('utf8')
        if (limits !== undefined && isHeavyJson(text, limits)) reject(tooMuch(who))
        else resolve({ status, text })
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    })
  })
}

export const tooMuch = (who: string): Fault =>
  new Fault('unavailable', `${who} answered more than anybody asked for`)
