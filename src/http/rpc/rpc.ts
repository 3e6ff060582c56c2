import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import type { Audit } from '../../engine/dispatch/audit.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Entrance } from '../guard/entrance.ts'
import { assertContentType } from '../guard/gate.ts'
import { newOriginOf } from '../guard/origin.ts'
import { sendText } from '../reply/send.ts'
import { readBody } from '../request/body.ts'
import { readerOf } from '../request/reader.ts'
import { createJsonRpc, type JsonRpcDeps, type Reply, type StreamedReply } from './json-rpc.ts'

export interface RpcDeps extends JsonRpcDeps {
  entrance: Entrance
  audit: Pick<Audit, 'refused'>
}

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => void

/** `POST /`: straight on node:http because every call goes through here. */
export function createRpcHandler({ entrance, audit, ...deps }: RpcDeps): RpcHandler {
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
      giveUp(response, rpc.refuse(error))
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply | StreamedReply> {
    const origin = newOriginOf(request)
    let caller: Caller | undefined
    let unmet: Fault | undefined
    let text: string
    try {
      entrance.admit(request, response)
      assertContentType(request.headers, 'application/json')
      try {
        const met = entrance.meet(request, response)
        caller = met instanceof Promise ? await met : met
      } catch (error) {
        unmet = tellable(error)
      }
      text = await readBody(request, caller?.kind === 'peer' ? LIMITS.peerBodyBytes : LIMITS.bodyBytes)
    } catch (error) {
      // Who is not let in is told that, and not what is wrong with its body.
      const told = unmet ?? error
      audit.refused({ what: 'POST /', origin, caller }, told)
      throw told
    }
    if (caller === undefined) {
      audit.refused({ what: 'POST /', origin, caller }, unmet)
      return rpc.refuse(unmet, text)
    }
    const key = request.headers['idempotency-key']
    let left: AbortSignal | undefined
    return rpc.answer(text, {
      caller,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      origin,
      // One for all calls of a batch.
      gone: () => {
        left ??= readerOf(response)
        return left
      },
      headers: request.headers,
    })
  }
}

/** Who is refused for its headers is told so under the ids of its calls; who comes too often is not even read. */
function tellable(error: unknown): Fault {
  const fault = Fault.from(error)
  if (fault.kind === 'rate_limited' || fault.kind === 'internal') throw error
  return fault
}

/** Whatever went wrong with the answer, nobody is left waiting for it. */
function giveUp(response: ServerResponse, { status, text }: Reply): void {
  if (response.headersSent) response.destroy()
  else sendText(response, status === 200 ? 500 : status, text)
}
