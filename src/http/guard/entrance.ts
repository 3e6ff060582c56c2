import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { HOW_TO_GET_IN } from '../../engine/dispatch/access.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Unread } from '../reply/unread.ts'
import { admit, assertHeaders, type GateRules } from './gate.ts'
import type { Identify } from './identify.ts'
import type { RateLimits } from './rate-limits.ts'
import { type Visitor, visitorOf } from './visitor.ts'

export interface EntranceDeps {
  gate: GateRules
  identify: Identify
  limits: RateLimits
  unread: Pick<Unread, 'admit'>
  /** Told of every connection whose caller turned out to have a key. */
  trust?: (visitor: Visitor) => void
  /** Something in front of us hands calls on: where they really come from is not known. */
  isBehindProxy?: boolean
}

/** What every request passes, whatever it is for: the gate, who it is from, how often that one calls, and whether it reads. */
export interface Entrance {
  /** Before the body is read, and before it is known what is asked for. */
  admit(request: IncomingMessage, response: ServerResponse): void
  meet(request: IncomingMessage, response: ServerResponse, door?: DoorRules): Caller | Promise<Caller>
  /** At a door where strangers are let in one by one. */
  admitToPairing(caller: Caller, request: IncomingMessage, response: ServerResponse): void
}

export interface DoorRules {
  /** Of callers that only this door knows; whom it does not know, all others may. */
  readonly knows?: KnowsOwn | undefined
  /** Whoever asks may read what is here: in whose name it does so is nobody's concern. */
  readonly isDocument?: boolean
}

/** Knows credentials that only one door takes; undefined for all others. */
export type KnowsOwn = (headers: IncomingHttpHeaders) => Caller | undefined

export function createEntrance({
  gate,
  identify,
  limits,
  unread,
  trust,
  isBehindProxy,
}: EntranceDeps): Entrance {
  function welcome(caller: Caller, visitor: Visitor, response: ServerResponse): Caller {
    assertMayBeKeyless(caller, visitor)
    limits.admit(caller, visitor, response)
    unread.admit(caller, visitor, response)
    if (caller.kind !== 'anonymous' && caller.kind !== 'open') trust?.(visitor)
    // In this order it takes a tenth of the time.
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

    meet(request, response, { knows, isDocument = false } = {}) {
      // Looked at now: a request that is broken off while its token is checked has no socket any more.
      const visitor = visitorOf(request.socket)
      const headers = isDocument ? withoutName(request.headers) : request.headers
      let found: Caller | Promise<Caller>
      try {
        found = knows?.(headers) ?? identify(headers)
      } catch (error) {
        return refuse(error, visitor, response)
      }
      if (!(found instanceof Promise)) return welcome(found, visitor, response)
      return found.then(
        (caller) => welcome(caller, visitor, response),
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

/** Whatever the daemon listens at: that it is open means open to this machine. */
function assertMayBeKeyless({ kind, credential }: Caller, { from }: Visitor): void {
  const isKeyless = kind === 'open' || (kind === 'peer' && credential === undefined)
  if (isKeyless && from !== 'loopback')
    throw new Fault('unauthorized', 'Only callers on the machine of this daemon need no key', {
      next: HOW_TO_GET_IN,
    })
}
