import { DEFAULT_WORK } from '../../protocol/run/request.ts'
import type { AccessWatch } from '../peers/access-watch.ts'
import type { Clock, Store, Timers } from '../ports/ports.ts'
import type { CommandAgent, RunFiles, SchemaCheck } from '../ports/run-ports.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { createCheckContract } from './check-contract.ts'
import { createEcho } from './echo.ts'
import { createLibrarian, createSummary } from './librarian.ts'
import type { RunRules } from './rules.ts'
import { RunEngine } from './run-engine.ts'
import { createRunnerChoice } from './runner-choice.ts'

export interface OpenRunsDeps {
  readonly store: Store
  readonly index: SearchIndex
  readonly files: RunFiles
  readonly command: CommandAgent | undefined
  readonly check: SchemaCheck
  readonly clock: Clock
  readonly accessWatch: AccessWatch
  readonly timers: Timers
  readonly rules: RunRules
  readonly report: (error: unknown) => void
}

/** Opens the engine of runs with its built-in runners and the agent command. */
export function openRuns({
  store,
  index,
  command,
  check,
  timers,
  ...deps
}: OpenRunsDeps): Promise<RunEngine> {
  const builtIns = new Map([
    [DEFAULT_WORK, createLibrarian({ store, index })],
    ['summarize_project', createSummary({ store })],
    ['check_contract', createCheckContract({ store, check })],
    ['echo', createEcho(timers)],
  ])
  return RunEngine.open({ ...deps, timers, runners: createRunnerChoice({ builtIns, command }) })
}
