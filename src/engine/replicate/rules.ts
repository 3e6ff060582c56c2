import { BREAKER_RULES } from './peer/breaker.ts'

export type ReplicationRules = Readonly<typeof REPLICATION_RULES>

/** Every interval and bound of replication. */
export const REPLICATION_RULES = {
  breaker: BREAKER_RULES,
  /** How often one peer, chosen by chance, is compared with. */
  repairEveryMillis: 30_000,
  /** How long a call to a peer may take. */
  callMillis: 30_000,
  /** How long a call to find out about a peer may take. */
  probeMillis: 10_000,
  /** How much goes into one batch. */
  batchItems: 400,
  batchBytes: 1024 * 1024,
  /** How often at most the cursor of a peer is saved; what was sent since is sent again after a crash. */
  saveEveryMillis: 1000,
  /** How often at most it is written down what an agent was shown. */
  receiptEveryMillis: 2000,
  /** Comparing waits until a peer has handed nothing over for so long, but not more often than so many times. */
  quietMillis: 300,
  quietTimes: 30,
  /** How long a call of the reference's client waits for what it is about, which another daemon may just have sent. */
  arrivalMillis: 5000,
  /** How long after both were last seen two daemons under one name are reported. */
  twiceMillis: 600_000,
  /** About so many entities share a bucket when two daemons look for what differs. */
  bucketSize: 16,
  hub: {
    /** How long statements of others are left to others to publish; about twice as long at most. */
    graceMillis: 2000,
    /** Over how long daemons spread what they offer again to a hub that lost it. */
    spreadMillis: 10_000,
    /** How long a project has to be unchanged before it is compared; up to three times as long, by chance. */
    quietMillis: 5000,
    /** How long at most until a hub is tried again that is away: many wait for it, and a laptop that wakes up. */
    pauseMillis: 10_000,
  },
}
