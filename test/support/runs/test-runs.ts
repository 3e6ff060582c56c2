import { join } from 'node:path'
import type { Caller } from '../../../src/domain/env.ts'
import { AccessWatch } from '../../../src/engine/peers/access-watch.ts'
import type { CommandAgent, RunFiles, Runner } from '../../../src/engine/ports/run-ports.ts'
import { createEcho } from '../../../src/engine/runs/echo.ts'
import type { RunRules } from '../../../src/engine/runs/rules.ts'
import { openRunEngine, type RunEngine } from '../../../src/engine/runs/run-engine.ts'
import { createRunnerChoice } from '../../../src/engine/runs/runner-choice.ts'
import { openRunFiles } from '../../../src/io/runner/run-files.ts'
import { nodeDisk } from '../../../src/io/store/directory/node-disk.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import type { RunEvent } from '../../../src/protocol/run/event.ts'
import type { Run } from '../../../src/protocol/run/run.ts'
import { folderWith } from '../folders/folder.ts'

export const OPERATOR: Caller = {
  kind: 'operator',
  agentId: 'aid://example.com/backend@1.0.0',
  repoName: 'backend-api',
}
export const PEER: Caller = {
  kind: 'peer',
  agentId: 'aid://example.com/frontend@1.0.0',
  repoName: 'frontend-app',
}

const MIB = 1024 * 1024

export const TEST_RULES: RunRules = {
  atOnce: 20,
  maxMillis: 30_000,
  heartbeatMillis: 10_000,
  unwatchedMillis: 5_000,
  runBytes: 32 * MIB,
  keptRuns: 100,
  keptMillis: 3_600_000,
  keptBytes: 32 * MIB,
}

export interface TestRuns extends AsyncDisposable {
  runs: RunEngine
  /** Stops, as a daemon does, and opens again on the same files. */
  reopen(): Promise<RunEngine>
  /** Opens a second time on the same files, as after a crash: the first one never stopped. */
  crashed(): Promise<RunEngine>
  path(runId: string): string
}

export interface TestRunsOptions {
  rules?: Partial<RunRules>
  runners?: Readonly<Record<string, Runner['run']>>
  limit?: number
  command?: CommandAgent
  wrapFiles?: (files: RunFiles) => RunFiles
  isShutOut?: (caller: Caller) => boolean
}

/** Runs on real files, with runners that the test writes; `echo` is always there. */
export async function openTestRuns(options: TestRunsOptions = {}): Promise<TestRuns> {
  const { rules = {}, runners = {}, limit = 100, command, wrapFiles = (files) => files } = options
  const { isShutOut = () => false } = options
  const folder = await folderWith()
  const builtIns = new Map<string, Runner>([
    ['echo', createEcho(systemTimers)],
    ...Object.entries(runners).map(([name, run]) => [name, { name, limit, run }] as const),
  ])
  const open = async () =>
    openRunEngine({
      files: wrapFiles(openRunFiles({ directory: folder.path, disk: nodeDisk, log: silent })),
      runners: createRunnerChoice({ builtIns, command, clock: systemClock }),
      clock: systemClock,
      timers: systemTimers,
      accessWatch: new AccessWatch({ timers: systemTimers, isShutOut }),
      rules: { ...TEST_RULES, ...rules },
      report: () => {},
    })
  const opened = {
    runs: await open(),
    reopen: async () => {
      await opened.runs[Symbol.asyncDispose]()
      opened.runs = await open()
      return opened.runs
    },
    crashed: () => open(),
    path: (runId: string) => join(folder.path, 'runs', `${runId}.ndjson`),
    [Symbol.asyncDispose]: async () => {
      await opened.runs[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
  return opened
}

/** All events of a run, to its end. */
export async function eventsOf(runs: RunEngine, { run_id }: Run, caller = OPERATOR): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const batch of runs.follow(run_id, caller)) events.push(...batch)
  return events
}
