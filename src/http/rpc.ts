import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../domain/env.ts'
import type { Audit } from '../engine/audit.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { readBody } from './body.ts'
import type { Entrance } from './entrance.ts'
import { assertContentType } from './gate.ts'
import { createJsonRpc, type JsonRpcDeps, type Reply, type StreamedReply } from './json-rpc.ts'
import { originOf } from './origin.ts'
import { readerOf } from './reader.ts'
import { sendText } from './send.ts'

export interface RpcDeps extends JsonRpcDeps {
  entrance: Entrance
  audit: Pick<Audit, 'refused'>
}

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => void

/** `POST /`: straight on node:http because every call goes through here. */
export function createRpcHandler({ entrance, audit, ...deps }: RpcDeps): RpcHandler {
  const rpc = createJsonRpc(deps)

  return (request, response) => {
    answer(request, response)
      .catch((error: unknown) => rpc.refuse(error))
      .then((reply) =>
        'stream' in reply ? reply.stream(response) : sendText(response, reply.status, reply.text),
      )
      .catch((error: unknown) => giveUp(response, rpc.refuse(error)))
      .catch(() => response.destroy())
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply | StreamedReply> {
    const origin = originOf(request)
    let caller: Caller | undefined
    let unmet: Fault | undefined
    let text: string
    try {
      entrance.admit(request, response)
      assertContentType(request.headers, 'application/json')
      try {
        caller = await entrance.meet(request, response)
      } catch (error) {
        unmet = tellable(error)
      }
      text = await readBody(request, caller?.kind === 'peer' ? LIMITS.peerBodyBytes : LIMITS.bodyBytes).catch(
        // Who is not let in is told that, and not what is wrong with its body.
        (error: unknown) => Promise.reject(unmet ?? error),
      )
    } catch (error) {
      audit.refused({ what: 'POST /', origin, caller }, error)
      throw error
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
