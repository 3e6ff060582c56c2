import type { Config } from '../config/config.ts'
import { openRuns } from '../engine/runs/open-runs.ts'
import { WORK_RULES } from '../engine/work/rules.ts'
import { createWorkDesk, type WorkDesk, type WorkDeskDeps } from '../engine/work/works.ts'
import { createCommandAgent } from '../io/runner/command.ts'
import { openRunFiles } from '../io/runner/run-files.ts'
import { createSchemaCheck } from '../io/runner/schema-check.ts'
import { openWorkFiles } from '../io/runner/work-files.ts'
import { systemTimers } from '../io/system/timers.ts'
import type { Place } from './parts.ts'

/** The runs that others ask of this repository's agent. */
export async function runsOf(config: Config, { store, index, accessWatch, disk, clock, local, log }: Place) {
  return openRuns({
    store,
    index,
    files: openRunFiles({ directory: config.dataDir, disk, log }),
    command: await createCommandAgent({ ...config, settings: config.agent, log }),
    check: createSchemaCheck(),
    clock,
    accessWatch,
    timers: systemTimers,
    rules: {
      atOnce: config.runsAtOnce,
      maxMillis: config.runSeconds * 1000,
      heartbeatMillis: config.runHeartbeatSeconds * 1000,
      unwatchedMillis: config.runUnwatchedSeconds * 1000,
      runBytes: config.runBytes,
      keptRuns: config.runsKept,
      keptMillis: config.runsKeptSeconds * 1000,
      keptBytes: config.runsKeptBytes,
    },
    changed: (runId) => local.note('runs', runId),
    report: (error) => log.error({ err: error }, 'a run failed unexpectedly'),
  })
}

type WorkDeps = Pick<WorkDeskDeps, 'self' | 'wire' | 'client' | 'dispatch'>

/** The work that this repository asks of other agents. */
export function worksOf(config: Config, place: Place, deps: WorkDeps): WorkDesk {
  const { store, clock, disk, log, local } = place
  return createWorkDesk({
    ...deps,
    store,
    clock,
    files: openWorkFiles({ directory: config.dataDir, disk, log }),
    timers: systemTimers,
    rules: {
      ...WORK_RULES,
      silenceMillis: config.workSilenceSeconds * 1000,
      retryMillis: config.peerRetrySeconds.map((seconds) => seconds * 1000),
      breaker: { ...WORK_RULES.breaker, openMillis: config.peerPauseSeconds * 1000 },
    },
    changed: (workId) => local.note('work', workId),
    report: (error) => log.warn({ err: error }, 'a failure next to delegated work'),
  })
}
