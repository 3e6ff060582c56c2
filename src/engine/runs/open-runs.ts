import { DEFAULT_WORK } from '../../protocol/run/request.ts'
import type { Store } from '../ports/ports.ts'
import type { CommandAgent, SchemaCheck } from '../ports/run-ports.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { createCheckContract } from './check-contract.ts'
import { createEcho } from './echo.ts'
import { createLibrarian, createSummary } from './librarian.ts'
import { openRunEngine, type RunEngine } from './run-engine.ts'
import { createRunnerChoice } from './runner-choice.ts'
import type { TrackedRunDeps } from './tracked-run.ts'

export interface OpenRunsDeps extends TrackedRunDeps {
  readonly store: Store
  readonly index: SearchIndex
  readonly command: CommandAgent | undefined
  readonly check: SchemaCheck
}

/** Opens the engine of runs with its built-in runners and the agent command. */
export function openRuns(deps: OpenRunsDeps): Promise<RunEngine> {
  const { store, index, command, check, clock, timers } = deps
  const builtIns = new Map([
    [DEFAULT_WORK, createLibrarian({ store, index })],
    ['summarize_project', createSummary({ store })],
    ['check_contract', createCheckContract({ store, check })],
    ['echo', createEcho(timers)],
  ])
  return openRunEngine({ ...deps, runners: createRunnerChoice({ builtIns, command, clock }) })
}
