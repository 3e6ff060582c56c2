import express, { type ErrorRequestHandler, type Express } from 'express'
import helmet from 'helmet'
import { assertMayUse } from '../../engine/dispatch/access.ts'
import type { Audit, Visit } from '../../engine/dispatch/audit.ts'
import { FAULTS, Fault } from '../../protocol/fault.ts'
import { answerPreflight, isPreflight } from '../guard/gate.ts'
import type { Guard } from '../guard/guard.ts'
import { originOf } from '../guard/visitor.ts'
import { sendJson } from '../reply/send.ts'
import type { Route } from '../routes/routes.ts'
import { PAGE_HEADERS } from '../ui/page-headers.ts'

interface AppDeps {
  routes: readonly Route[]
  guard: Guard
  /** Whether calls come over TLS: only then may a browser be told to insist on that. */
  isEncrypted: boolean
  report: (fault: Fault) => void
  /** Left out where no audit trail is kept. */
  audit?: Pick<Audit, 'refused' | 'allowed'>
  /** The body of a refusal, and the hint for a path where nothing is. */
  words?: { show(fault: Fault): object; elsewhere: string }
}

const WORDS: NonNullable<AppDeps['words']> = {
  show: ({ message, details }) => ({ error: { message, ...details } }),
  elsewhere: 'JSON-RPC calls go to POST /; GET /methods lists them',
}

/** The express application behind everything that is not `POST /`. Its answers are JSON, except for the dashboard's. */
export function createApp({ routes, guard, isEncrypted, report, audit, words = WORDS }: AppDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(
    helmet({
      // Only the dashboard is a web page; should a browser show another answer as one, that page may load nothing.
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: isEncrypted,
    }),
  )
  if (routes.some(({ isPage }) => isPage))
    app.use('/ui', (_request, response, next) => {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
      next()
    })
  app.use((request, response, next) => {
    guard.admit(request, response)
    if (isPreflight(request)) answerPreflight(response)
    else next()
  })
  for (const { verb, path, access, permission, isPairing, isPage, isNoted, knows, serve, refuse } of routes) {
    const door = { name: `${verb.toUpperCase()} ${path}`, access, permission }
    app[verb](path, async (request, response) => {
      try {
        const caller = await guard.identify(request, response, {
          knows,
          isDocument: verb === 'get' && access === 'public',
          isPage,
        })
        response.locals['caller'] = caller
        assertMayUse(caller, door)
        if (isPairing === true) guard.admitToPairing(caller, request, response)
        await serve(request, response, caller)
        if (verb !== 'get' && isNoted !== false) audit?.allowed(visitOf(request, response))
      } catch (error) {
        if (refuse === undefined || response.headersSent) throw error
        refuse(noted(error, request, response), request, response)
      }
    })
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = allowedAt(routes.filter((route) => route.path === path))
    // POST / has a handler of its own.
    const all = path === '/' ? `${allowed}, POST` : allowed
    // A single layer for all verbs, where `app.all` would add one for each of them.
    app.route(path).all(({ method }, response) => {
      response.setHeader('allow', all)
      throw new Fault('method_not_allowed', `${method} is not allowed here`, { next: `Use ${all}` })
    })
  }
  app.use((request) => {
    throw new Fault('not_found', `Nothing at ${request.path.slice(0, 100)}`, {
      next: words.elsewhere,
    })
  })
  const onError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    const fault = noted(error, request, response)
    if (response.headersSent) response.destroy()
    else sendJson(response, FAULTS[fault.kind].http, words.show(fault))
  }
  app.use(onError)
  return app

  /** The error as a Fault, which is noted in the log and in the audit trail. */
  function noted(error: unknown, request: express.Request, response: express.Response): Fault {
    const isMalformed = error instanceof URIError
    const fault = isMalformed
      ? new Fault('invalid_request', 'The path is not well-formed')
      : Fault.from(error)
    if (fault.kind === 'internal') report(fault)
    audit?.refused(visitOf(request, response), fault)
    return fault
  }
}

/** The path without its query, which is for the route alone. */
function visitOf(request: express.Request, { locals }: express.Response): Visit {
  const path = request.route?.path ?? request.path.slice(0, 100)
  return {
    what: `${request.method} ${path}`,
    origin: originOf(request),
    caller: locals['caller'],
    about: locals['about'],
  }
}

const allowedAt = (routes: readonly Route[]): string =>
  routes.map(({ verb }) => (verb === 'get' ? 'GET, HEAD' : verb.toUpperCase())).join(', ')
