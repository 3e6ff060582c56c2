import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { type EndpointScope, isWithinScope } from '../../domain/trust/allowed-endpoint.ts'
import { type AddressClass, classOfAddress } from '../../protocol/address-class.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Fault } from '../../protocol/fault.ts'
import { inTime } from '../system/timers.ts'
import { loadProof, loadUndici } from './load-outbound.ts'
import type { PinnedPeer } from './proven-socket.ts'

export interface ConnectionRules {
  readonly reach: EndpointScope
  /** SHA-256 in hex of the only certificate that is accepted. Without it the usual authorities decide. */
  readonly certificate?: string | undefined
  /** The peer that must be there. It proves so on every connection in clear; over TLS the certificate tells. */
  readonly peer?: PinnedPeer | undefined
}

export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The lookups under way. None can be broken off, and the system does only a few at a time: nobody asks twice. */
const lookups = new Map<string, Promise<readonly string[]>>()

const systemResolve: Resolve = (hostname) =>
  getOrAdd(lookups, hostname, () =>
    lookup(hostname, { all: true })
      .then((found) => found.map(({ address }) => address))
      .finally(() => lookups.delete(hostname)),
  )

/**
 * Connects for undici. A name is looked up once, all that it leads to is checked, and the connection goes to what
 * was checked: a name that leads elsewhere a moment later leads nowhere. In clear only within this machine.
 */
export function createConnector(
  { reach, certificate, peer }: ConnectionRules,
  { resolve = systemResolve, timeout }: { resolve?: Resolve | undefined; timeout: number },
): buildConnector.connector {
  return (target, callback) => {
    // Every failure has to reach the callback: undici waits for it without an end.
    connected(target).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }

  /** undici gets the connection only when its other end is known, so nothing can be sent on it before. */
  async function connected(target: buildConnector.Options): Promise<Socket> {
    const [addresses, undici] = await Promise.all([checkedAddresses(target), loadUndici()])
    const connect = undici.buildConnector({
      timeout,
      lookup: answering(addresses),
      ...(certificate === undefined ? {} : { rejectUnauthorized: false, maxCachedSessions: 0 }),
    })
    const socket = await new Promise<Socket>((found, failed) =>
      connect(target, (...[error, opened]) => (error === null ? found(opened) : failed(error))),
    )
    const isSecured = socket instanceof TLSSocket
    if (certificate !== undefined) {
      if (isSecured && fingerprintOf(socket) === certificate) return socket
      socket.destroy()
      throw notCalled(target, 'it shows another certificate than the one that was pinned')
    }
    if (peer !== undefined && !isSecured) {
      const { proveSocket } = await loadProof()
      await proveSocket(socket, peer, { host: target.host ?? '', timeout })
    }
    return socket
  }

  async function checkedAddresses(target: buildConnector.Options): Promise<readonly string[]> {
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // Where no server of names can be reached, the system may ask for half a minute.
    const tooLate = () => notCalled(target, 'its name was not found in time')
    const addresses = isIP(host) === 0 ? await inTime(resolve(host), timeout, tooLate) : [host]
    if (addresses.length === 0) throw notCalled(target, 'its name leads nowhere')
    for (const address of addresses) {
      const objection = objectionTo(classOfAddress(address), target.protocol)
      if (objection !== undefined) throw notCalled(target, objection)
    }
    return addresses
  }

  function objectionTo(found: AddressClass, protocol: string): string | undefined {
    if (found === 'never') return 'no daemon can be there'
    if (!isWithinScope(found, reach)) return `it is at a ${found} address and was named from a ${reach} one`
    if (protocol === 'https:') return undefined
    if (found !== 'loopback') return 'plain http is only used on this machine'
    return certificate === undefined ? undefined : 'it must show its certificate, so only https will do'
  }
}

const notCalled = ({ protocol, host }: buildConnector.Options, why: string): Fault =>
  new Fault('unavailable', `${protocol}//${host} is not called: ${why}`)

const fingerprintOf = (socket: TLSSocket): string | undefined =>
  socket.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()

/**
 * A lookup whose answer is known already. It comes a moment later all the same, as from every other lookup: without a
 * route the connection fails within the answer, and before `connect` has returned nobody listens for errors.
 */
function answering(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const [first = { address: '', family: 4 }] = all
    process.nextTick(() => {
      if (options.all === true) callback(null, all)
      else callback(null, first.address, first.family)
    })
  }
}
