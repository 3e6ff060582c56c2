import type { Caller } from '../../domain/env.ts'
import type { Turn } from '../../methods/runs/service.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent, RunnerEvent } from '../../protocol/run/event.ts'
import type { RunFailure } from '../../protocol/run/failure.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import type { Run } from '../../protocol/run/run.ts'

/** The ports of runs: who does the work, and the files that keep it. */

/** A program that does the work of runs: a built-in or the agent command. */
export interface Runner {
  readonly name: string
  /** How many runs it does at once; more are refused as busy. */
  readonly limit: number
  /** Ends soon after the signal, with the result so far or by throwing. A RunError or a Fault says what failed. */
  run(request: RunRequest, context: RunContext): Promise<Outcome>
}

export interface RunContext {
  readonly runId: string
  readonly attempt: number
  readonly asker: Caller
  /** Aborted when the run is canceled or out of time, or when the daemon stops. */
  readonly signal: AbortSignal
  /** Resolves when there is room for more. Events after the signal are ignored. */
  emit(event: RunnerEvent): Promise<void>
  /** The earlier turns of the session. */
  history(): Promise<readonly Turn[]>
}

export interface Outcome {
  readonly output?: Json
  readonly exit_code?: number | null
  readonly cpu_ms?: number | null
  /** Set when the work failed and was measured all the same. */
  readonly failure?: Problem
}

export type Problem = Pick<RunFailure, 'kind' | 'message'> & Partial<Pick<RunFailure, 'data'>>

/** Ends a run as failed. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly problem: Problem

  constructor(problem: Problem, cause?: unknown) {
    super(problem.message, cause === undefined ? undefined : { cause })
    this.problem = problem
  }
}

/** Validates a value against a JSON Schema, within limits of size, time and memory. */
export type SchemaCheck = (
  schema: JsonObject,
  value: Json,
  signal: AbortSignal,
) => Promise<{ readonly valid: boolean; readonly errors: readonly string[] }>

/** The agent command that the operator configured. */
export interface CommandAgent {
  readonly runner: Runner
  /** The kinds of work that have a command of their own. */
  readonly workTypes: readonly string[]
  /** Whether there is a command for all other kinds of work. */
  readonly isDefault: boolean
  /** Agents other than the operator that may have it run. */
  readonly allow: ReadonlySet<string>
  /** Whether the operator trusted these settings on this machine. */
  isTrusted(): Promise<boolean>
}

/** The first line of the file of a run, written before its first event. */
export interface RunHead extends Pick<Run, 'run_id' | 'request' | 'asked_by' | 'created_at'> {
  readonly fingerprint: string
}

export interface StoredRun {
  readonly head: RunHead
  readonly bytes: number
  /** The `started` event of its latest attempt; undefined when no attempt was started. */
  readonly started: RunEvent | undefined
  readonly last: RunEvent | undefined
}

/** The files of runs: one each, with its head first and then its events. */
export interface RunFiles {
  /** Every run that has a file, oldest first. A line that a crash left incomplete is cut off. */
  load(): Promise<readonly StoredRun[]>
  /** The file and its head are durable when this returns. */
  create(head: RunHead): Promise<RunFile>
  /** Opens a file to append to it; an incomplete line is cut off. `sequence` is that of the last event in it. */
  open(runId: string): Promise<{ readonly file: RunFile; readonly sequence: number }>
  /** The events after this sequence number, in lists as they are read from disk. */
  read(runId: string, after: number): AsyncIterable<readonly RunEvent[]>
  remove(runId: string): Promise<void>
}

export interface RunFile {
  readonly size: number
  append(text: string): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}
