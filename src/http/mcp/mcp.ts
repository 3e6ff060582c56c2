import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { RouteAbout } from '../../describe/openapi.ts'
import type { Caller, Origin } from '../../domain/env.ts'
import { shortId } from '../../domain/names/session-name.ts'
import type { Dispatch } from '../../engine/dispatch/dispatch.ts'
import type { Clock } from '../../engine/ports/ports.ts'
import type { CallMethod } from '../../mcp/tool.ts'
import { FAULTS, Fault } from '../../protocol/fault.ts'
import { FreeObject, isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { originOf } from '../guard/visitor.ts'
import { countUntilRead, sendJson } from '../reply/send.ts'
import { assertStorable, parsedBody } from '../request/body.ts'
import { JsonRpcAnswer, JsonRpcCall } from '../routes/about.ts'
import type { Route } from '../routes/routes.ts'
import { ID_NEEDED, isUsableId } from '../rpc/json-rpc.ts'
import { createCancels } from './cancels.ts'

const McpMessage = JsonRpcCall.extend({ id: z.union([z.string(), z.number()]).optional() }).meta({
  id: 'McpMessage',
})

const McpAnswer = JsonRpcAnswer.extend({
  result: FreeObject.optional(),
  error: z.object({ code: z.int(), message: z.string(), data: FreeObject.optional() }).optional(),
}).meta({ id: 'McpAnswer' })

const MCP_ABOUT: RouteAbout = {
  summary: 'Speak the Model Context Protocol over streamable HTTP, for agents.',
  description:
    'In its versions 2025-11-25 and 2026-07-28, without sessions. Tools, resources and prompts are what its own lists say; what only the operator may do is not among them.',
  body: { 'application/json': McpMessage },
  headers: { 'MCP-Protocol-Version': 'The version that was agreed on' },
  answers: {
    200: {
      description: 'The answer, alone or after what was said about its progress',
      contents: { 'application/json': McpAnswer, 'text/event-stream': McpAnswer },
    },
    202: { description: 'It was a notification' },
  },
  refusal: McpAnswer,
}

export interface McpDeps {
  readonly dispatch: Dispatch
  readonly clock: Pick<Clock, 'newId'>
  /** For the log only: what of a failure no caller may see. */
  readonly report: (fault: Fault) => void
  /** How often a client that wants to know is told that a call is still at work. */
  readonly progressMillis: number
  /** A stream that was silent for so long gets a comment, which shows that it is still open. */
  readonly commentMillis: number
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: JsonObject) => Promise<void>

/** The door for agents that speak the Model Context Protocol, in both of its eras; nothing is kept between requests. */
export function mcpRoutes(deps: McpDeps): readonly Route[] {
  const cancels = createCancels()
  let handler: Promise<Handle> | undefined

  return [
    {
      verb: 'post',
      path: '/mcp',
      access: 'read',
      permission: 'project:read',
      // What it leads to is noted call by call.
      isNoted: false,
      about: MCP_ABOUT,
      serve: async (request, response, caller) => {
        const body = await parsedBody(request, LIMITS.bodyBytes)
        if (!isJsonObject(body))
          throw new Fault('invalid_request', 'Send one JSON-RPC message at a time, as an object')
        if (body['id'] !== undefined && !isUsableId(body['id'])) throw new Fault('invalid_request', ID_NEEDED)
        assertStorable(body)
        response.setHeader('cache-control', 'no-store')
        const session = cancels.sessionOf(request, caller)
        if (body['method'] === 'initialize') response.setHeader('mcp-session-id', deps.clock.newId())
        if (cancels.cancel(session, body)) return void response.writeHead(202).end()
        const forget = cancels.await(session, body, response)
        // Heavy, and not needed for a start.
        handler ??= openHandler(deps)
        const handle = await handler
        countWrites(response)
        const guest: Guest = { caller, origin: originOf(request), session: sessionOf(request) }
        // Who calls, in the form in which the library hands it through.
        const auth: AuthInfo = { token: '', clientId: caller.agentId, scopes: [], extra: { ...guest } }
        Object.assign(request, { auth })
        await handle(request, response, body).finally(forget)
      },
      refuse: (fault, _request, response) =>
        sendJson(response, FAULTS[fault.kind].http, {
          jsonrpc: '2.0',
          id: null,
          error: { code: FAULTS[fault.kind].rpc, message: fault.message, data: fault.details },
        }),
    },
  ]
}

export const loadMcp = () =>
  Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/node'),
    import('../../mcp/server.ts'),
    import('../../mcp/no-listening.ts'),
  ])

async function openHandler({ dispatch, report, progressMillis, commentMillis }: McpDeps): Promise<Handle> {
  const [{ createMcpHandler }, { toNodeHandler }, { createMcpServer }, { refusedListening }] = await loadMcp()
  const failed = (error: Error) => report(Fault.from(error))
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const guest = authInfo?.extra as unknown as Guest
      return createMcpServer({
        call: dispatching(dispatch, guest, report),
        session: guest.session,
        progressMillis,
      })
    },
    { keepAliveMs: commentMillis },
  )
  const handle = toNodeHandler(handler, { onerror: failed }) as Handle
  return async (request, response, body) => {
    const refusal = isStateless(request, body) ? refusedListening(body) : undefined
    if (refusal === undefined) return handle(request, response, body)
    sendJson(response, FAULTS.method_not_found.http, refusal)
  }
}

const STATELESS = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** Whether it is of the era without sessions. In the one before, 404 says that a session has ended. */
function isStateless({ headers }: IncomingMessage, { params }: JsonObject): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return (
    headers['mcp-protocol-version'] === STATELESS || (isJsonObject(meta) && meta[VERSION_KEY] === STATELESS)
  )
}

/** The library writes by itself: what it hands over counts for as long as it is not read. */
function countWrites(response: ServerResponse): void {
  const write = response.write as (...given: unknown[]) => boolean
  response.write = (...given: unknown[]) => {
    const isTaken = write.apply(response, given)
    if (!isTaken) countUntilRead(response)
    return isTaken
  }
}

interface Guest {
  readonly caller: Caller
  readonly origin: Origin
  readonly session: string | undefined
}

/** Clients of 2025 keep the name that they were given. */
function sessionOf({ headers }: IncomingMessage): string | undefined {
  const id = shortId(String(headers['mcp-session-id'] ?? ''))
  return id === '' ? undefined : `MCP session ${id}`
}

/** Every call of a tool goes the way of all calls: access, params, idempotency, audit. */
function dispatching(
  dispatch: Dispatch,
  { caller, origin }: Guest,
  report: (fault: Fault) => void,
): CallMethod {
  return async (method, params, { signal } = {}) => {
    try {
      const gone = signal === undefined ? {} : { gone: () => signal }
      const result = await dispatch({ method, params, caller, origin, idempotencyKey: undefined, ...gone })
      return result as JsonObject
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind === 'internal') report(fault)
      throw fault
    }
  }
}
