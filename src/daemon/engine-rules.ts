import type { Config } from '../config/config.ts'
import type { FileRules } from '../engine/files/rules.ts'
import { CHECK_MILLIS } from '../engine/peers/access-watch.ts'
import { REPLICATION_RULES, type ReplicationRules } from '../engine/replicate/rules.ts'
import type { SeatRules } from '../engine/seat/rules.ts'

/** Turns the settings into the rules of each part of the engine. */

export function replicationRules(config: Config): ReplicationRules {
  const { peerRepairSeconds, peerCallSeconds, peerRetrySeconds, peerPauseSeconds, receiptSeconds } = config
  return {
    ...REPLICATION_RULES,
    repairEveryMillis: peerRepairSeconds * 1000,
    callMillis: peerCallSeconds * 1000,
    receiptEveryMillis: receiptSeconds * 1000,
    breaker: {
      ...REPLICATION_RULES.breaker,
      retryMillis: peerRetrySeconds.map((seconds) => seconds * 1000),
      openAfterFailures: peerRetrySeconds.length + 1,
      openMillis: peerPauseSeconds * 1000,
    },
  }
}

export const fileRules = ({ fileBytesPerCaller, unnamedFileSeconds }: Config): FileRules => ({
  bytesPerCaller: fileBytesPerCaller,
  unnamedSeconds: unnamedFileSeconds,
})

export function seatRules({ feedReaders, waitsAtOnce, takeMinutes, escalateMinutes }: Config): SeatRules {
  return {
    feed: { readersAtOnce: feedReaders, recheckMillis: CHECK_MILLIS },
    waitsAtOnce,
    takeMinutes,
    escalateMinutes,
  }
}
