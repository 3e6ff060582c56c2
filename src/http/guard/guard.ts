import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { HOW_TO_GET_IN } from '../../engine/dispatch/access.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Unread } from '../reply/unread.ts'
import { admitOrigin, assertHeaders, assertHost, foreignOrigin, type GateRules } from './gate.ts'
import type { Identify } from './identify.ts'
import { type OwnPage, UI_HEADER } from './own-page.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export interface GuardDeps {
  gate: GateRules
  /** Left out where no page is served. */
  ownPage?: OwnPage | undefined
  identify: Identify
  limits: RateLimits
  unread: Pick<Unread, 'admit'>
  /** Called for every connection whose caller has shown a key. */
  trust?: (visitor: Visitor) => void
  /** A proxy in front of the daemon hands calls on, so their real address is not known. */
  isBehindProxy?: boolean
}

export type Guard = ReturnType<typeof createGuard>

interface RouteRules {
  /** Credentials that only this route takes; they are tried before those that all routes take. */
  readonly knows?: IdentifyOwn | undefined
  /** A public document: the name in X-Agent-ID is ignored, whatever it is. */
  readonly isDocument?: boolean
  /** It belongs to the page that this daemon serves itself, which may call it before it has a session. */
  readonly isPage?: boolean | undefined
}

/** The caller with credentials that only one route takes; undefined for all other callers. */
export type IdentifyOwn = (headers: IncomingHttpHeaders) => Caller | undefined

/** What every request passes: checks of its headers, who it is from, how often that one calls, what it left unread. */
export function createGuard(deps: GuardDeps) {
  const { gate, ownPage, identify, limits, unread, trust, isBehindProxy } = deps

  /** Of the pages of this daemon only those may call that show a session, and only they may show one. */
  function assertPage({ person }: Caller, request: IncomingMessage, isPage: boolean): void {
    if (isPage || person !== undefined) ownPage?.assertReachable(request)
    if (person !== undefined) ownPage?.assertSender(request)
    else if (!isPage && isOwnPage(request)) throw foreignOrigin()
  }

  /** An origin that is listed may call with a key, whoever serves its pages. */
  const isOwnPage = (request: IncomingMessage): boolean =>
    ownPage?.hasOwnOrigin(request) === true && !gate.origins.has(request.headers.origin ?? '')

  function accept(caller: Caller, visitor: Visitor, response: ServerResponse): Caller {
    assertMayBeKeyless(caller, visitor)
    limits.admit(caller, visitor, response)
    unread.admit(caller, visitor, response)
    if (caller.kind !== 'anonymous' && caller.kind !== 'open') trust?.(visitor)
    // Spreading the caller last takes a tenth of the time.
    return { from: isBehindProxy === true ? 'public' : visitor.from, ...caller }
  }

  function refuse(error: unknown, visitor: Visitor, response: ServerResponse): never {
    limits.refuse(visitor, response)
    throw error
  }

  return {
    /** Before the body is read, and before it is known what is asked for. */
    admit(request: IncomingMessage, response: ServerResponse): void {
      limits.arrive(visitorOf(request.socket), response)
      assertHeaders(request)
      assertHost(request.headers, gate)
      ownPage?.assertOneCredential(request.headers)
      // Our own page needs no leave to read what we answer, and no other page may use a session: see assertPage.
      const showsSession = ownPage !== undefined && request.headers[UI_HEADER] !== undefined
      if (!showsSession && !isOwnPage(request)) admitOrigin(request.headers, response, gate)
    },

    /** Finds out who calls, and refuses callers that call too often. */
    identify(
      request: IncomingMessage,
      response: ServerResponse,
      { knows, isDocument = false, isPage = false }: RouteRules = {},
    ): Caller | Promise<Caller> {
      // Read before the token is checked: a request that is broken off meanwhile has no socket any more.
      const visitor = visitorOf(request.socket)
      const headers = isDocument ? withoutName(request.headers) : request.headers
      let found: Caller | Promise<Caller>
      try {
        found = knows?.(headers) ?? identify(headers)
      } catch (error) {
        return refuse(error, visitor, response)
      }
      const letIn = (caller: Caller) => {
        assertPage(caller, request, isPage)
        return accept(caller, visitor, response)
      }
      if (!(found instanceof Promise)) return letIn(found)
      return found.then(letIn, (error: unknown) => refuse(error, visitor, response))
    },

    /** For routes where strangers pair or register, which they may not try often. */
    admitToPairing(caller: Caller, request: IncomingMessage, response: ServerResponse): void {
      if (caller.kind === 'anonymous') limits.admitToPairing(visitorOf(request.socket), response)
    },
  }
}

function withoutName({ 'x-agent-id': _name, ...others }: IncomingHttpHeaders): IncomingHttpHeaders {
  return others
}

/** An open daemon is open to callers on its own machine only, whatever addresses it listens at. */
function assertMayBeKeyless({ kind, credential }: Caller, { from }: Visitor): void {
  const isKeyless = kind === 'open' || (kind === 'peer' && credential === undefined)
  if (isKeyless && from !== 'loopback')
    throw new Fault('unauthorized', 'Only callers on the machine of this daemon need no key', {
      next: HOW_TO_GET_IN,
    })
}
