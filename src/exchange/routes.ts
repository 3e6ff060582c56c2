import type { Request } from 'express'
import * as z from 'zod'
import type { AgentRegistered, RegisteredAgent } from '../domain/adp/registered-agent.ts'
import type { Caller } from '../domain/env.ts'
import { assertContentType } from '../http/guard/gate.ts'
import { sendJson, sendText } from '../http/reply/send.ts'
import { jsonBody, readBody } from '../http/request/body.ts'
import type { Route } from '../http/routes/routes.ts'
import { ADP_LIMITS, Search } from '../protocol/agent/adp.ts'
import { isAid } from '../protocol/agent/aid.ts'
import { Fault } from '../protocol/fault.ts'
import { readAs } from '../protocol/read-as.ts'
import type { Page, Registry } from './registry.ts'

type Serve = Route['serve']

/** With escapes, a manifest can be several times longer in the request than it is. */
const BODY_BYTES = 4 * ADP_LIMITS.manifestLength

/** The paths that the CACP client calls, and those of ADP's own documents, with or without a slash at the end. */
export function exchangeRoutes(
  registry: Registry,
  { version, agentLimit }: { version: string; agentLimit: number },
): readonly Route[] {
  const register: Serve = async (request, response, caller) => {
    assertContentType(request.headers, 'application/json')
    const json = await readBody(request, BODY_BYTES)
    const registered = await registry.register(json, fromOf(request, caller))
    sendJson(response, registered.status === 'registered' ? 201 : 200, registeredAnswer(registered))
  }
  const search: Serve = async (request, response) => {
    const asked = await jsonBody(request, Search)
    const { ignored, ...page } = await registry.search(asked)
    const { limit, offset } = asked
    const note = ignored.length === 0 ? {} : { ignoredFilters: ignored.map((name) => name.slice(0, 100)) }
    sendText(response, 200, pageAnswer(page, { limit, offset, ...note }))
  }
  const list: Serve = async (request, response) => {
    const asked = readAs(Paging, request.query)
    sendText(response, 200, pageAnswer(await registry.list(asked), asked))
  }
  const get: Serve = async (request, response) => {
    const aid = aidIn(request.params['aid'])
    const agent = isAid(aid) ? await registry.get(aid) : undefined
    if (agent === undefined) throw notRegistered(aid)
    sendText(response, 200, agentAnswer(agent))
  }
  const remove: Serve = async (request, response, caller) => {
    if (caller.kind !== 'operator')
      throw new Fault('unauthorized', 'Only the operator of the exchange removes agents', {
        next: 'Send the operator.key of its data directory as Authorization: Bearer <key>',
      })
    const aid = aidIn(request.params['aid'])
    if (!(await registry.remove(aid))) throw notRegistered(aid)
    sendJson(response, 200, { success: true, message: `${aid} is removed`, aid, status: 'removed' })
  }
  const health: Serve = async (_request, response) => {
    const { status, size: agents } = registry.state()
    sendJson(response, 200, { status, service: 'cacpd exchange', version, agents, agentLimit })
  }

  return [
    patient('/v1/register', register),
    open('post', '/v1/search', search),
    open('get', '/v1/agents', list),
    open('get', '/v1/agents/*aid', get),
    open('delete', '/v1/agents/*aid', remove),
    patient('/api/v1/agents', register),
    open('post', '/api/v1/agents/search', search),
    open('get', '/api/v1/agents', list),
    open('get', '/api/v1/agents/*aid', get),
    open('delete', '/api/v1/agents/*aid', remove),
    open('get', '/health', health),
    open('get', '/', health),
  ]
}

/** Everybody may register and search: the signature of a registration shows whether it can be trusted. */
const open = (verb: Route['verb'], path: string, serve: Serve): Route => ({
  verb,
  path,
  access: 'public',
  serve,
})

/** Registration has a lower rate limit. */
const patient = (path: string, serve: Serve): Route => ({ ...open('post', path, serve), isPairing: true })

/** Every answer has the fields that ADP's two documents and the CACP client expect. */
function registeredAnswer({ agent, status }: AgentRegistered): object {
  const { aid } = agent
  return { success: true, message: `${aid} is ${status}`, id: aid, aid, status, ...stateOf(agent) }
}

/** Returns JSON text, because only the original text of a manifest has its numbers as they were signed. */
function agentAnswer(agent: RegisteredAgent): string {
  const { aid, name, description } = agent
  const facts = { success: true, id: aid, aid, name, description, status: 'registered', ...stateOf(agent) }
  return `${JSON.stringify(facts).slice(0, -1)},"manifest":${agent.text}}`
}

const stateOf = ({ key, registered_at, renewed_at }: RegisteredAgent) => ({
  verified: key !== null,
  registeredAt: registered_at,
  updatedAt: renewed_at,
})

function pageAnswer({ agents, total }: Page, facts: object): string {
  const results = `[${agents.map(agentAnswer).join(',')}]`
  return `${JSON.stringify({ success: true, total, ...facts }).slice(0, -1)},"results":${results}}`
}

/**
 * Both forms in which ADP writes an error. If ADP has its own name for the error, it is among the fault's details.
 */
export const refusalAnswer = ({ kind, message, details }: Fault): object => ({
  success: false,
  detail: message,
  error: kind,
  message,
  ...details,
})

const fromOf = (request: Request, caller: Caller) => ({
  address: request.socket.remoteAddress ?? 'unknown',
  isOperator: caller.kind === 'operator',
})

const notRegistered = (aid: string): Fault =>
  new Fault('not_found', `No agent ${aid.slice(0, 100)} is registered here`, {
    next: 'GET /v1/agents/ lists them',
  })

const Paging = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(ADP_LIMITS.pageItems)).default(20),
  offset: z.coerce.number().pipe(z.int().min(0).max(ADP_LIMITS.offset)).default(0),
})

/** Comes in one piece where its slashes are escaped, in several where not, and by way of some proxies without one. */
function aidIn(segments: string | readonly string[] | undefined): string {
  const path = typeof segments === 'string' ? segments : (segments ?? []).join('/')
  return path.replace(/^aid:\/(?!\/)/, 'aid://').replace(/\/$/, '')
}
