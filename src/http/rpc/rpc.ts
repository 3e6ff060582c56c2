import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import type { Audit } from '../../engine/dispatch/audit.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { assertContentType } from '../guard/gate.ts'
import type { Guard } from '../guard/guard.ts'
import { newOriginOf } from '../guard/visitor.ts'
import { sendText } from '../reply/send.ts'
import { readBody } from '../request/body.ts'
import { readerOf } from '../request/reader.ts'
import { createJsonRpc, type JsonRpcDeps, type Reply, type StreamedReply } from './json-rpc.ts'

interface RpcDeps extends JsonRpcDeps {
  guard: Guard
  audit: Pick<Audit, 'refused'>
}

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => void

/** `POST /`: straight on node:http because every call goes through here. */
export function createRpcHandler({ guard, audit, ...deps }: RpcDeps): RpcHandler {
  const rpc = createJsonRpc(deps)

  return (request, response) => {
    serve(request, response).catch(() => response.destroy())
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const reply = await answer(request, response).catch((error: unknown) => rpc.refuse(error))
      if ('stream' in reply) await reply.stream(response)
      else sendText(response, reply.status, reply.text)
    } catch (error) {
      // The answer could not be written: the caller gets an error instead, or the connection ends.
      const { status, text } = rpc.refuse(error)
      if (response.headersSent) response.destroy()
      else sendText(response, status === 200 ? 500 : status, text)
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply | StreamedReply> {
    const origin = newOriginOf(request)
    let caller: Caller | undefined
    let refusal: Fault | undefined
    let text: string
    try {
      guard.admit(request, response)
      assertContentType(request.headers, 'application/json')
      try {
        const found = guard.identify(request, response)
        caller = found instanceof Promise ? await found : found
      } catch (error) {
        refusal = answerable(error)
      }
      text = await readBody(request, caller?.kind === 'peer' ? LIMITS.peerBodyBytes : LIMITS.bodyBytes)
    } catch (error) {
      // A caller without a valid key learns that, and not what is wrong with its body.
      const first = refusal ?? error
      audit.refused({ what: 'POST /', origin, caller }, first)
      throw first
    }
    if (caller === undefined) {
      audit.refused({ what: 'POST /', origin, caller }, refusal)
      return rpc.refuse(refusal, text)
    }
    const key = request.headers['idempotency-key']
    let left: AbortSignal | undefined
    return rpc.answer(text, {
      caller,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      origin,
      // The same signal for all calls of a batch.
      gone: () => {
        left ??= readerOf(response)
        return left
      },
      headers: request.headers,
    })
  }
}

/** A refusal that is answered under the ids of the calls. The body of a caller that calls too often is not even read. */
function answerable(error: unknown): Fault {
  const fault = Fault.from(error)
  if (fault.kind === 'rate_limited' || fault.kind === 'internal') throw error
  return fault
}
