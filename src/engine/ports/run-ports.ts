import type { Caller } from '../../domain/env.ts'
import type { Turn } from '../../methods/runs/service.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent, RunnerEvent } from '../../protocol/run/event.ts'
import type { RunFailureKind } from '../../protocol/run/failure.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import type { Asker } from '../../protocol/run/run.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** The ports of runs: who does the work, and the files that keep it. */

/** A program that does the work of runs: a built-in or the agent command. */
export interface Runner {
  readonly name: string
  /** How many runs it takes at once; more are refused as busy. */
  readonly limit: number
  /** Ends soon after the signal: with what it has, or by throwing. A RunError or a Fault says what went wrong. */
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
  /** What was said in the session before. */
  history(): Promise<readonly Turn[]>
}

export interface Outcome {
  readonly output?: Json
  readonly exit_code?: number | null
  readonly cpu_ms?: number | null
  /** Set when the work failed and was measured all the same. */
  readonly failure?: Problem
}

export interface Problem {
  readonly kind: RunFailureKind
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Ends a run as failed. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly problem: Problem

  constructor(problem: Problem, cause?: unknown) {
    super(problem.message, cause === undefined ? undefined : { cause })
    this.problem = problem
  }
}

/** Whether a value is what a JSON Schema describes, found out within bounds of size, time and memory. */
export type SchemaCheck = (
  schema: JsonObject,
  value: Json,
  signal: AbortSignal,
) => Promise<{ readonly valid: boolean; readonly errors: readonly string[] }>

/** The agent that the operator configured to do the work with. */
export interface CommandAgent {
  readonly runner: Runner
  /** The kinds of work with a command of their own. */
  readonly workTypes: readonly string[]
  /** Whether there is a command for all other kinds of work. */
  readonly isDefault: boolean
  /** Agents that may have it run, besides the operator. */
  readonly allow: ReadonlySet<string>
  /** Whether the operator trusted these settings on this machine. */
  isTrusted(): Promise<boolean>
}

/** The first line of the file of a run, written before its first event. */
export interface RunHead {
  readonly run_id: string
  readonly request: RunRequest
  readonly fingerprint: string
  readonly asked_by: Asker
  readonly created_at: Stamp
}

export interface StoredRun {
  readonly head: RunHead
  readonly bytes: number
  /** The `started` event of its latest attempt; undefined when no attempt was started. */
  readonly started: RunEvent | undefined
  readonly last: RunEvent | undefined
}

/** The files that hold runs: one each, its head first and then its events. */
export interface RunFiles {
  /** Every run that has a file, oldest first. What a crash left half-written is cut off. */
  load(): Promise<readonly StoredRun[]>
  /** The file and its head are durable when this returns. */
  create(head: RunHead): Promise<RunFile>
  /** To go on where it ends: what is half-written is cut off. `sequence` is of the last event that is really there. */
  open(runId: string): Promise<{ readonly file: RunFile; readonly sequence: number }>
  /** Its events after this sequence number, in lists as they come from disk. */
  read(runId: string, after: number): AsyncIterable<readonly RunEvent[]>
  remove(runId: string): Promise<void>
}

export interface RunFile {
  /** In bytes. */
  readonly size: number
  append(text: string): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}
