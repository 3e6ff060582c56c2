import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { readBody } from './body.ts'
import { admit, assertContentType, type GateRules } from './gate.ts'
import type { Identify } from './identify.ts'
import { createJsonRpc, type JsonRpcDeps, type Reply } from './json-rpc.ts'
import { sendJson } from './send.ts'

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
      .then((reply) => sendJson(response, reply.status, reply.body))
      .catch((error: unknown) => deps.report(Fault.from(error)))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    admit(request.headers, response, gate)
    assertContentType(request.headers, 'application/json')
    const caller = identify(request.headers)
    const text = await readBody(request, caller.kind === 'peer' ? LIMITS.peerBodyBytes : LIMITS.bodyBytes)
    const key = request.headers['idempotency-key']
    return rpc.answer(text, { caller, idempotencyKey: typeof key === 'string' ? key : undefined })
  }
}
