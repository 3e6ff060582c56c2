import type { Config } from '../config/config.ts'
import type { FileRules } from '../engine/files/rules.ts'
import { CHECK_MILLIS } from '../engine/peers/access-watch.ts'
import { REPLICATION_RULES, type ReplicationRules } from '../engine/replicate/rules.ts'
import type { RunRules } from '../engine/runs/rules.ts'
import type { SeatRules } from '../engine/seat/rules.ts'
import { WORK_RULES, type WorkRules } from '../engine/work/rules.ts'

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

export function runRules(config: Config): RunRules {
  return {
    atOnce: config.runsAtOnce,
    maxMillis: config.runSeconds * 1000,
    heartbeatMillis: config.runHeartbeatSeconds * 1000,
    unwatchedMillis: config.runUnwatchedSeconds * 1000,
    runBytes: config.runBytes,
    keptRuns: config.runsKept,
    keptMillis: config.runsKeptSeconds * 1000,
    keptBytes: config.runsKeptBytes,
  }
}

export function workRules({ peerRetrySeconds, peerPauseSeconds, workSilenceSeconds }: Config): WorkRules {
  return {
    ...WORK_RULES,
    silenceMillis: workSilenceSeconds * 1000,
    retryMillis: peerRetrySeconds.map((seconds) => seconds * 1000),
    breaker: { ...WORK_RULES.breaker, openMillis: peerPauseSeconds * 1000 },
  }
}

export function seatRules({ feedReaders, waitsAtOnce, takeMinutes, escalateMinutes }: Config): SeatRules {
  return {
    feed: { readersAtOnce: feedReaders, recheckMillis: CHECK_MILLIS },
    waitsAtOnce,
    takeMinutes,
    escalateMinutes,
  }
}
