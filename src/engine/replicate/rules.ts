import { BREAKER_RULES, type BreakerRules } from './peer/breaker.ts'

/** Every interval and bound of replication. */
export interface ReplicationRules {
  readonly breaker: BreakerRules
  /** How often one peer, chosen by chance, is compared with. */
  readonly repairEveryMillis: number
  /** How long a call to a peer may take. */
  readonly callMillis: number
  /** How long a call to find out about a peer may take. */
  readonly probeMillis: number
  /** How much goes into one batch. */
  readonly batchItems: number
  readonly batchBytes: number
  /** How often at most the cursor of a peer is saved; what was sent since is sent again after a crash. */
  readonly saveEveryMillis: number
  /** How often at most it is written down what an agent was shown. */
  readonly receiptEveryMillis: number
  /** Comparing waits until a peer has handed nothing over for so long, but not more often than so many times. */
  readonly quietMillis: number
  readonly quietTimes: number
  /** How long a call of the reference's client waits for what it is about, which another daemon may just have sent. */
  readonly arrivalMillis: number
  /** How long after both were last seen two daemons under one name are reported. */
  readonly twiceMillis: number
  /** About so many entities share a bucket when two daemons look for what differs. */
  readonly bucketSize: number
  readonly hub: HubRules
}

export interface HubRules {
  /** How long statements of others are left to others to publish; about twice as long at most. */
  readonly graceMillis: number
  /** Over how long daemons spread what they offer again to a hub that lost it. */
  readonly spreadMillis: number
  /** How long a project has to be unchanged before it is compared; up to three times as long, by chance. */
  readonly quietMillis: number
  /** How long at most until a hub is tried again that is away: many wait for it, and a laptop that wakes up. */
  readonly pauseMillis: number
}

export const REPLICATION_RULES: ReplicationRules = {
  breaker: BREAKER_RULES,
  repairEveryMillis: 30_000,
  callMillis: 30_000,
  probeMillis: 10_000,
  batchItems: 400,
  batchBytes: 1024 * 1024,
  saveEveryMillis: 1000,
  receiptEveryMillis: 2000,
  quietMillis: 300,
  quietTimes: 30,
  arrivalMillis: 5000,
  twiceMillis: 600_000,
  bucketSize: 16,
  hub: {
    graceMillis: 2000,
    spreadMillis: 10_000,
    quietMillis: 5000,
    pauseMillis: 10_000,
  },
}
