import { DEFAULT_WORK } from '../../protocol/run/request.ts'
import type { Parts } from '../parts.ts'
import type { SchemaCheck } from '../ports/run-ports.ts'
import { createCheckContract } from './check-contract.ts'
import { createEcho } from './echo.ts'
import { createLibrarian, createSummary } from './librarian.ts'
import { openRunEngine, type RunEngine } from './run-engine.ts'
import { createRunnerChoice, type RunnerChoiceDeps } from './runner-choice.ts'
import type { TrackedRunDeps } from './tracked-run.ts'

export interface OpenRunsDeps
  extends TrackedRunDeps,
    Pick<Parts, 'store' | 'index'>,
    Pick<RunnerChoiceDeps, 'command'> {
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
