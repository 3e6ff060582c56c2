import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { AccessWatch } from '../engine/peers/access-watch.ts'
import type { Clock, Store } from '../engine/ports/ports.ts'
import { openRuns } from '../engine/runs/open-runs.ts'
import type { RunEngine } from '../engine/runs/run-engine.ts'
import type { SearchIndex } from '../engine/search/search-index.ts'
import type { LocalChanges } from '../engine/seat/local-changes.ts'
import { createWorkDesk, type WorkDesk, type WorkDeskDeps } from '../engine/work/works.ts'
import { createCommandAgent } from '../io/runner/command.ts'
import { openRunFiles } from '../io/runner/run-files.ts'
import { createSchemaCheck } from '../io/runner/schema-check.ts'
import { openWorkFiles } from '../io/runner/work-files.ts'
import type { Disk } from '../io/store/directory/disk.ts'
import { systemTimers } from '../io/system/timers.ts'
import { runRules, workRules } from './engine-rules.ts'

interface IoDeps {
  readonly local: LocalChanges
  readonly disk: Disk
  readonly clock: Clock
  readonly log: Logger
}

interface RunDeps {
  readonly store: Store
  readonly index: SearchIndex
  readonly accessWatch: AccessWatch
}

/** The runs that others ask of this repository's agent. */
export async function runsOf(
  config: Config,
  { store, index, accessWatch, disk, clock, local, log }: IoDeps & RunDeps,
): Promise<RunEngine> {
  return openRuns({
    store,
    index,
    files: openRunFiles({ directory: config.dataDir, disk, log }),
    command: await createCommandAgent({ ...config, settings: config.agent, log }),
    check: createSchemaCheck(),
    clock,
    accessWatch,
    timers: systemTimers,
    rules: runRules(config),
    changed: (runId) => local.note('runs', runId),
    report: (error) => log.error({ err: error }, 'a run failed unexpectedly'),
  })
}

type WorkDeps = Pick<WorkDeskDeps, 'self' | 'store' | 'wire' | 'client' | 'dispatch'>

/** The work that this repository asks of other agents. */
export function worksOf(config: Config, { disk, log, local, ...deps }: IoDeps & WorkDeps): WorkDesk {
  return createWorkDesk({
    ...deps,
    files: openWorkFiles({ directory: config.dataDir, disk, log }),
    timers: systemTimers,
    rules: workRules(config),
    changed: (workId) => local.note('work', workId),
    report: (error) => log.warn({ err: error }, 'a failure next to delegated work'),
  })
}
