import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Origin } from '../../domain/env.ts'
import { type AddressClass, classOfAddress, ipv6Groups } from '../../protocol/address-class.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'

/** Who is at the other end of a connection, as far as the connection itself tells. */
export interface Visitor {
  /** By which its calls are counted: an IPv4 address, or the network of an IPv6 one, which is one household. */
  readonly address: string
  readonly from: AddressClass
  /** Address and port of the other end: over TLS a request comes on another socket than its connection. */
  readonly connection: string
  /** It has shown a key, so its connection does not give way to strangers any more. */
  isTrusted: boolean
}

/** Found out once per connection. */
export const visitorOf = oncePer((socket: Socket): Visitor => {
  const address = socket.remoteAddress ?? ''
  return {
    address: countedAs(address),
    from: classOfAddress(address),
    connection: `${address} ${socket.remotePort}`,
    isTrusted: false,
  }
})

export function countedAs(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const network = ipv6Groups(address.split('%', 1)[0] ?? '')?.slice(0, 4)
  return network === undefined ? address : `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/** Tells the requests of this start from those of others. */
const start = randomBytes(4).toString('hex')
let count = 0

/** Where a request comes from, and by which id the audit trail knows it. */
export const originOf = oncePer(newOriginOf)

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
