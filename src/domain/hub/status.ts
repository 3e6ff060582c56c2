import type { Stamp } from '../../protocol/stamp.ts'
import type { Refused } from '../delivery/refused.ts'
import type { WaitingOfSender } from '../statements/waiting.ts'
import type { TravellingProject } from './travelling.ts'
import type { HubTrouble } from './trouble.ts'

/**
 * connecting: no connection yet, or none any more; reading: there are messages that were not read yet; offering: there
 * are statements that the hub has not got; current: neither.
 */
export type HubState = 'connecting' | 'reading' | 'offering' | 'current'

/** How the daemon is doing with its hub, as `hub status`, /health and the doctor show it. */
export interface HubStatus {
  readonly org: string
  readonly state: HubState
  /** What somebody should know; empty when all is well. The first keeps the daemon from the hub, if anything does. */
  readonly troubles: readonly HubTrouble[]
  /** Failures in a row. */
  readonly failures: number
  /** When the hub was last heard of. */
  readonly lastSeen: Stamp | null
  /** Messages on the hub that were not read yet; null where that is not known. */
  readonly unread: number | null
  /** Statements here that the hub may lack. */
  readonly unoffered: number
  /** Seconds by which the clock of the hub is ahead of ours, where it is known. */
  readonly clockSkewSeconds: number | null
  /** Messages of the hub that were not taken here. */
  readonly refusedHere: Refused
  /** Messages of the hub that wait for something that nobody sent. */
  readonly waiting: WaitingOfSender
  /** Statements that the hub did not take. */
  readonly refusedThere: Refused
  readonly projects: readonly TravellingProject[]
}
