import type { Socket } from 'node:net'
import { type AddressClass, classOfAddress, ipv6Groups } from '../../protocol/address-class.ts'

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

const visitors = new WeakMap<Socket, Visitor>()

/** Found out once per connection. */
export function visitorOf(socket: Socket): Visitor {
  const known = visitors.get(socket)
  if (known !== undefined) return known
  const address = socket.remoteAddress ?? ''
  const visitor = {
    address: countedAs(address),
    from: classOfAddress(address),
    connection: `${address} ${socket.remotePort}`,
    isTrusted: false,
  }
  visitors.set(socket, visitor)
  return visitor
}

export function countedAs(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const groups = ipv6Groups(address.split('%', 1)[0] ?? '')
  return groups === undefined
    ? address
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
}
