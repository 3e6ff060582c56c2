import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { HOW_TO_GET_IN } from '../../engine/dispatch/access.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Unread } from '../reply/unread.ts'
import { admit, assertHeaders, type GateRules } from './gate.ts'
import type { Identify } from './identify.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export interface GuardDeps {
  gate: GateRules
  identify: Identify
  limits: RateLimits
  unread: Pick<Unread, 'admit'>
  /** Called for every connection whose caller has shown a key. */
  trust?: (visitor: Visitor) => void
  /** A proxy in front of the daemon hands calls on, so their real address is not known. */
  isBehindProxy?: boolean
}

/** What every request passes: checks of its headers, who it is from, how often that one calls, what it left unread. */
export interface Guard {
  /** Before the body is read, and before it is known what is asked for. */
  admit(request: IncomingMessage, response: ServerResponse): void
  /** Finds out who calls, and refuses callers that call too often. */
  identify(request: IncomingMessage, response: ServerResponse, rules?: RouteRules): Caller | Promise<Caller>
  /** For routes where strangers pair or register, which they may not try often. */
  admitToPairing(caller: Caller, request: IncomingMessage, response: ServerResponse): void
}

interface RouteRules {
  /** Credentials that only this route takes; they are tried before those that all routes take. */
  readonly knows?: IdentifyOwn | undefined
  /** A public document: the name in X-Agent-ID is ignored, whatever it is. */
  readonly isDocument?: boolean
}

/** The caller with credentials that only one route takes; undefined for all other callers. */
export type IdentifyOwn = (headers: IncomingHttpHeaders) => Caller | undefined

export function createGuard({ gate, identify, limits, unread, trust, isBehindProxy }: GuardDeps): Guard {
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
    admit(request, response) {
      limits.arrive(visitorOf(request.socket), response)
      assertHeaders(request)
      admit(request.headers, response, gate)
    },

    identify(request, response, { knows, isDocument = false } = {}) {
      // Read before the token is checked: a request that is broken off meanwhile has no socket any more.
      const visitor = visitorOf(request.socket)
      const headers = isDocument ? withoutName(request.headers) : request.headers
      let found: Caller | Promise<Caller>
      try {
        found = knows?.(headers) ?? identify(headers)
      } catch (error) {
        return refuse(error, visitor, response)
      }
      if (!(found instanceof Promise)) return accept(found, visitor, response)
      return found.then(
        (caller) => accept(caller, visitor, response),
        (error: unknown) => refuse(error, visitor, response),
      )
    },

    admitToPairing(caller, request, response) {
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
