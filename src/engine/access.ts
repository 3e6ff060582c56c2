import type { Caller } from '../domain/env.ts'
import type { Access } from '../methods/row.ts'
import { Fault } from '../protocol/fault.ts'

/** Which kinds of caller have which access. */
const GRANTS: Record<Caller['kind'], ReadonlySet<Access>> = {
  operator: new Set(['public', 'read', 'write', 'sync', 'operator']),
  open: new Set(['public', 'read', 'write', 'sync']),
  peer: new Set(['public', 'read', 'write', 'sync']),
  known: new Set(['public', 'read']),
  token: new Set(['public', 'read', 'write']),
  anonymous: new Set(['public']),
}

export function mayCall(caller: Caller, access: Access): boolean {
  return GRANTS[caller.kind].has(access)
}

export function assertMayCall(caller: Caller, access: Access, what: string): void {
  if (!mayCall(caller, access)) throw notAllowed(caller, access, what)
}

/** `what` is the method or route, for the sentence that refuses it. */
export function notAllowed(caller: Caller, access: Access, what: string): Fault {
  if (caller.kind === 'anonymous') return keyNeeded(what)
  return new Fault('forbidden', `${caller.agentId} may not call ${what}: it needs ${access} access`)
}

export function keyNeeded(what: string): Fault {
  return new Fault('unauthorized', `${what} needs a key`, { next: HOW_TO_GET_A_KEY })
}

export const HOW_TO_GET_A_KEY =
  'Run `cacpd key` in this repository and send the header Authorization: Bearer <key>'
