import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Origin } from '../../domain/env.ts'

/** Tells the requests of this start from those of others. */
const start = randomBytes(4).toString('hex')
let count = 0
const origins = new WeakMap<IncomingMessage, Origin>()

/** Where a request comes from, and by which id the audit trail knows it. */
export function originOf(request: IncomingMessage): Origin {
  const known = origins.get(request)
  if (known !== undefined) return known
  const origin = newOriginOf(request)
  origins.set(request, origin)
  return origin
}

/** The same where nobody else asks for it: to remember it takes longer than all else here. */
export function newOriginOf(request: IncomingMessage): Origin {
  return { address: addressOf(request), requestId: `${start}-${(++count).toString(36)}` }
}

/** An IPv4 caller of a door that speaks both is written as what it is. */
function addressOf(request: IncomingMessage): string {
  // There is no socket any more if the request was broken off.
  const { remoteAddress = 'unknown' } = (request.socket as IncomingMessage['socket'] | null) ?? {}
  return remoteAddress.startsWith('::ffff:') ? remoteAddress.slice('::ffff:'.length) : remoteAddress
}
