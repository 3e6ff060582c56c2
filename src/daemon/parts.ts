import type { Logger } from 'pino'
import type { Self } from '../domain/env.ts'
import type { AccessWatch } from '../engine/peers/access-watch.ts'
import type { Clock, RotatingIdentity, Store } from '../engine/ports/ports.ts'
import type { SearchIndex } from '../engine/search/search-index.ts'
import type { LocalChanges } from '../engine/seat/local-changes.ts'
import type { ServerCertificate } from '../io/identity/certificate.ts'
import type { Resolve } from '../io/outbound/connector.ts'
import type { Disk } from '../io/store/directory/disk.ts'

/** What there is before the daemon listens. */
export interface Place {
  readonly store: Store
  readonly index: SearchIndex
  readonly accessWatch: AccessWatch
  readonly local: LocalChanges
  readonly disk: Disk
  readonly clock: Clock
  readonly log: Logger
}

/** What there is once it has a name and an address. */
export interface Parts extends Place {
  readonly self: Self
  readonly identity: RotatingIdentity
  readonly operatorKey: string
  /** Where it listens on its own machine, and the certificate that it shows there. */
  readonly url: string
  readonly port: number
  readonly certificate: ServerCertificate | undefined
  readonly pageFolder: string
  readonly resolve: Resolve | undefined
}
