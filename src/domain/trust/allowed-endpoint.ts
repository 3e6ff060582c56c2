import { type AddressClass, classOfHost } from '../../protocol/address-class.ts'
import { wrongField } from '../../protocol/fault.ts'
import type { Caller } from '../env.ts'

/**
 * Who vouched for an endpoint, which limits the addresses that it may have. The operator may name any address;
 * everybody else only one of the class of the caller's own address, so that nobody can make this daemon call an
 * address that only it can reach.
 */
export type EndpointScope = 'operator' | Exclude<AddressClass, 'never'>

/** The limit for an endpoint that this caller names. A caller without an address is on this machine. */
export function endpointScopeOf({ kind, from = 'loopback' }: Pick<Caller, 'kind' | 'from'>): EndpointScope {
  if (kind === 'operator') return 'operator'
  return from === 'never' ? 'public' : from
}

export function isWithinScope(target: AddressClass, reach: EndpointScope): boolean {
  return target !== 'never' && (reach === 'operator' || target === reach)
}

/** Refuses an endpoint whose address is visibly of another class. Host names are checked at every connection. */
export function assertWithinScope(endpoint: string, reach: EndpointScope, field = 'endpoint'): void {
  if (!URL.canParse(endpoint)) throw wrongField(field, 'must be an http(s) URL')
  const target = classOfHost(new URL(endpoint).hostname)
  if (target === undefined || isWithinScope(target, reach)) return
  throw target === 'never'
    ? wrongField(field, 'no daemon can be at this address')
    : wrongField(field, `a ${target} address cannot be named from a ${reach} one`, {
        next: 'Start the daemon that calls with --public-url, by which others reach it',
      })
}

/** Refuses plain http except within one machine: API keys and contracts must not travel unencrypted. */
export function assertEncrypted(url: string): void {
  if (!URL.canParse(url)) throw wrongField('url', 'must be an http(s) URL')
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || classOfHost(hostname) === 'loopback') return
  throw wrongField('url', 'plain http is only taken to this machine', {
    next: 'On another machine a daemon has to be started with --public-url, and is then called by that https URL',
  })
}
