import type { Agent, Dispatcher } from 'undici'
import { answerText, type MostOfAnswer, tooMuch } from './read-answer.ts'

export interface Asked {
  readonly millis: number
  /** Breaks it off before. */
  readonly signal: AbortSignal | undefined
  readonly most: MostOfAnswer
}

/**
 * One request and the text of its answer. Peers are called so often that undici's own streams and signals for an answer
 * would cost more than the answer: its chunks are taken as they come, and one timer bounds all of it.
 */
export function ask(
  agent: Agent,
  request: Dispatcher.DispatchOptions & { origin: string },
  { millis, signal, most }: Asked,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let status = 0
    let running: Dispatcher.DispatchController | undefined
    let reason: Error | undefined

    const breakOff = (why: Error) => {
      reason ??= why
      running?.abort(reason)
      fail(reason)
    }
    const onAbort = () => breakOff(new DOMException('This operation was aborted', 'AbortError'))
    const timer = setTimeout(
      () => breakOff(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      millis,
    ).unref()
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
        bytes += chunk.length
        if (bytes > most.bytes) breakOff(tooMuch(request.origin))
        else chunks.push(chunk)
      },
      onResponseEnd() {
        settle()
        try {
          resolve({ status, text: answerText(chunks, request.origin, most) })
        } catch (error) {
          reject(error)
        }
      },
      onResponseError(_controller, error) {
        fail(error)
      },
    })
  })
}
