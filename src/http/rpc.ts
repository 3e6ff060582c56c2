import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '../protocol/limits.ts'
import { readBody } from './body.ts'
import { admit, assertContentType, type GateRules } from './gate.ts'
import type { Identify } from './identify.ts'
import { createJsonRpc, type JsonRpcDeps, type Reply, type StreamedReply } from './json-rpc.ts'
import { sendText } from './send.ts'

export interface RpcDeps extends JsonRpcDeps {
  identify: Identify
  gate: GateRules
}

export type RpcHandler = (request: IncomingMessage, response: ServerResponse) => void

/** `POST /`: straight on node:http because every call goes through here. */
export function createRpcHandler({ identify, gate, ...deps }: RpcDeps): RpcHandler {
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
    admit(request.headers, response, gate)
    assertContentType(request.headers, 'application/json')
    const caller = identify(request.headers)
    const text = await readBody(request, caller.kind === 'peer' ? LIMITS.peerBodyBytes : LIMITS.bodyBytes)
    const key = request.headers['idempotency-key']
    return rpc.answer(text, {
      caller,
      idempotencyKey: typeof key === 'string' ? key : undefined,
      headers: request.headers,
    })
  }
}

/** Whatever went wrong with the answer, nobody is left waiting for it. */
function giveUp(response: ServerResponse, { text }: Reply): void {
  if (response.headersSent) response.destroy()
  else sendText(response, 500, text)
}
