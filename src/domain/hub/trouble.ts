import { Fault, type FaultKind, type FaultOptions } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** Everything that can be wrong with a hub, each with what can be done about it. */
export const HUB_TROUBLES = {
  away: {
    fault: 'unavailable',
    next: 'See whether the server runs and can be reached at this address; what is written meanwhile goes out when it is back',
  },
  credentials: {
    fault: 'unauthorized',
    next: 'Ask whoever runs the hub for valid credentials, and connect again with `cacpd hub connect URL --creds FILE`',
  },
  permission: {
    fault: 'forbidden',
    next: 'Ask whoever runs the hub for this permission; docs/hub.md has the list of all that a daemon needs',
  },
  tls: {
    fault: 'unavailable',
    next: 'Name the authority that signed the certificate of the hub with `cacpd hub connect URL --tls-ca FILE`',
  },
  no_streams: {
    fault: 'unavailable',
    next: 'Run `cacpd hub init` once, with credentials that may make streams',
  },
  full: {
    fault: 'storage_full',
    next: 'Give the streams of the hub more room (`cacpd hub init --max-bytes N`), or free disk space there',
  },
  slow: {
    fault: 'unavailable',
    next: 'See what the server and the network are busy with, and whether its disk is full; everything is tried again by itself',
  },
  too_large: {
    fault: 'too_large',
    next: 'Raise max_payload of the server to 1 MB or more, as docs/hub.md has it',
  },
  gap: {
    fault: 'unavailable',
    next: 'Somebody removed messages from the hub; what is missing comes back from daemons that still have it',
  },
  wiped: {
    fault: 'unavailable',
    next: 'Nothing to do: every daemon offers again what the hub has lost',
  },
  clock: {
    fault: 'unavailable',
    next: 'Set the clock that is wrong, here or on the server; what is dated ahead goes out when its time has come',
  },
  twice: {
    fault: 'conflict',
    next: 'Stop the copy: two daemons run with the same data directory or with backups of the same one',
  },
  not_taken: {
    fault: 'invalid_params',
    next: '`cacpd hub status` lists the last ones; they stop nothing, and whoever runs the hub can see who publishes them',
  },
  /** Whatever has no name here. */
  other: { fault: 'unavailable', next: 'It is tried again by itself; `cacpd logs` may tell more' },
} as const satisfies Record<string, { fault: FaultKind; next: string }>

export type HubTroubleKind = keyof typeof HUB_TROUBLES

export interface HubTrouble {
  readonly kind: HubTroubleKind
  readonly message: string
  readonly next: string
  readonly since: Stamp
}

/** A failure of the hub that says which trouble it is. */
export function hubFault(
  trouble: HubTroubleKind,
  message: string,
  { next = HUB_TROUBLES[trouble].next, data, cause }: FaultOptions = {},
): Fault {
  return new Fault(HUB_TROUBLES[trouble].fault, message, { next, data: { ...data, trouble }, cause })
}

/** What is told of a failure, whoever threw it. */
export function troubleIn(fault: Fault, since: Stamp): HubTrouble {
  const named = fault.data['trouble']
  const kind = typeof named === 'string' && named in HUB_TROUBLES ? (named as HubTroubleKind) : 'other'
  return { kind, message: fault.message, next: fault.next ?? HUB_TROUBLES[kind].next, since }
}
