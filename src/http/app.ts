import express, { type ErrorRequestHandler, type Express } from 'express'
import { assertMayCall } from '../engine/access.ts'
import { FAULTS, Fault } from '../protocol/fault.ts'
import { admit, answerPreflight, type GateRules, isPreflight } from './gate.ts'
import type { Identify } from './identify.ts'
import type { Route } from './routes.ts'
import { sendJson } from './send.ts'

export interface AppDeps {
  routes: readonly Route[]
  identify: Identify
  gate: GateRules
  report: (fault: Fault) => void
}

/** The express application behind everything that is not `POST /`. All its answers are JSON. */
export function createApp({ routes, identify, gate, report }: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response, next) => {
    admit(request.headers, response, gate)
    if (isPreflight(request)) answerPreflight(response)
    else next()
  })
  for (const { verb, path, access, identify: identifyHere, serve, refuse } of routes) {
    app[verb](path, async (request, response) => {
      try {
        const caller = identifyHere?.(request.headers) ?? identify(request.headers)
        assertMayCall(caller, access, `${verb.toUpperCase()} ${path}`)
        await serve(request, response, caller)
      } catch (error) {
        if (refuse === undefined || response.headersSent) throw error
        const fault = Fault.from(error)
        if (fault.kind === 'internal') report(fault)
        refuse(fault, request, response)
      }
    })
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = allowedAt(routes.filter((route) => route.path === path))
    // Calls to POST / do not come by here.
    const all = path === '/' ? `${allowed}, POST` : allowed
    app.all(path, (request, response) => refuseVerb(request.method, response, all))
  }
  app.use((request) => {
    throw new Fault('not_found', `Nothing at ${request.path.slice(0, 100)}`, {
      next: 'JSON-RPC calls go to POST /; GET /methods lists them',
    })
  })
  const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const fault = isUriError(error)
      ? new Fault('invalid_request', 'The path is not well-formed')
      : Fault.from(error)
    if (fault.kind === 'internal') report(fault)
    if (response.headersSent) response.destroy()
    else sendJson(response, FAULTS[fault.kind].http, { error: { message: fault.message, ...fault.details } })
  }
  app.use(onError)
  return app
}

const isUriError = (error: unknown): boolean => error instanceof URIError

function allowedAt(routes: readonly Route[]): string {
  return routes.map(({ verb }) => (verb === 'get' ? 'GET, HEAD' : verb.toUpperCase())).join(', ')
}

function refuseVerb(verb: string, response: express.Response, allowed: string): never {
  response.setHeader('allow', allowed)
  throw new Fault('method_not_allowed', `${verb} is not allowed here`, { next: `Use ${allowed}` })
}
