import { type AddressClass, classOfHost } from '../../protocol/address-class.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Caller } from '../env.ts'

/**
 * Whose word an endpoint rests on, which says where it may lie. The operator may name any; everybody else only
 * one of the class that its own address is of, so that nobody makes us call what only we can reach.
 */
export type Reach = 'operator' | Exclude<AddressClass, 'never'>

/** The reach of an endpoint that this caller names. Where nobody said where it calls from, that is here. */
export function reachOf({ kind, from = 'loopback' }: Omit<Caller, 'agentId' | 'repoName'>): Reach {
  if (kind === 'operator') return 'operator'
  return from === 'never' ? 'public' : from
}

export function isWithinReach(target: AddressClass, reach: Reach): boolean {
  return target !== 'never' && (reach === 'operator' || target === reach)
}

/** Refuses an endpoint that can be seen to lie elsewhere. What a name leads to is checked at every connection. */
export function assertWithinReach(endpoint: string, reach: Reach, field = 'endpoint'): void {
  if (!URL.canParse(endpoint))
    throw new Fault('invalid_params', `${field}: must be an http(s) URL`, about(field))
  const target = classOfHost(new URL(endpoint).hostname)
  if (target === undefined || isWithinReach(target, reach)) return
  throw target === 'never'
    ? new Fault('invalid_params', `${field}: no daemon can be at this address`, about(field))
    : new Fault('invalid_params', `${field}: a ${target} address cannot be named from a ${reach} one`, {
        ...about(field),
        next: 'Start the daemon that calls with --public-url, by which others reach it',
      })
}

/** Keys and what is agreed travel in clear only within one machine. */
export function assertEncrypted(url: string, field = 'url'): void {
  if (!URL.canParse(url)) throw new Fault('invalid_params', `${field}: must be an http(s) URL`, about(field))
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || classOfHost(hostname) === 'loopback') return
  throw new Fault('invalid_params', `${field}: plain http is only taken to this machine`, {
    ...about(field),
    next: 'On another machine a daemon has to be started with --public-url, and is then called by that https URL',
  })
}

const about = (field: string) => ({ data: { field } })
