import type { Turn } from '../../methods/runs/service.ts'
import type { Run } from '../../protocol/run/run.ts'
import type { Clock, Timers } from '../ports/ports.ts'
import type { RunFile, RunFiles, Runner } from '../ports/run-ports.ts'
import { callerOf } from './askers.ts'
import { Attempt } from './attempt.ts'
import type { RunRules } from './rules.ts'
import { RunLog } from './run-log.ts'

export interface AttemptDeps {
  readonly files: RunFiles
  readonly clock: Clock
  readonly timers: Timers
  readonly rules: RunRules
  /** For the log of the daemon: what no asker may see. */
  readonly report: (error: unknown) => void
}

/** Who does the work, and what was said in its session before. */
export interface Work {
  readonly runner: Runner
  readonly history: () => Promise<readonly Turn[]>
}

/** The file of the run, and where the attempt begins in it. */
export interface AttemptPlace {
  readonly file: RunFile
  readonly attempt: number
  /** Of the last event that is in the file. */
  readonly sequence: number
}

/** Stands in the place of an event that the disk has lost. */
const LOST = { type: 'heartbeat', note: 'lost' } as const

/** Writes the first event of an attempt; the work itself begins when the caller says so. */
export async function startAttempt(
  { files, clock, timers, rules, report }: AttemptDeps,
  { run_id: runId, request, asked_by, last_sequence }: Run,
  { runner, history, file, attempt, sequence }: Work & AttemptPlace,
): Promise<{ log: RunLog; attempt: Attempt }> {
  const log = new RunLog({ runId, file, files, clock, timers, sequence })
  try {
    // Readers saw events that were never written; their numbers are neither given twice nor left out.
    while (log.sequence < last_sequence) await log.append(LOST)
    const started = { type: 'started', attempt, runner: runner.name } as const
    // A second attempt must not be forgotten by a crash; the first one follows from the head of the file.
    await (attempt === 1 ? log.append(started) : log.begin(started))
  } catch (error) {
    await file.close().catch(report)
    throw error
  }
  const asker = callerOf(asked_by)
  return {
    log,
    attempt: new Attempt({ runId, attempt, request, asker, runner, log, rules, timers, history, report }),
  }
}
