import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import type { Run } from '../../protocol/run/run.ts'
import type { SseFrame } from '../../protocol/sse/sse.ts'
import { type AskEnv, type Asked, toRun } from './agent-request.ts'
import { createEncoder } from './cloud-events.ts'
import { type ErrorFacts, transportError } from './errors.ts'

/** What the shared route of the two Coreason protocols needs of each of them. */
export interface AssistWire {
  toRun(body: unknown, env: AskEnv): Asked
  createEncoder(run: Run): (event: RunEvent) => readonly SseFrame[]
  /** The answer to a reader that waits for the end of a run, which has completed with these outputs. */
  answer(request: RunRequest, result: RunResult, outputs: JsonObject): Json
  refusal(error: ErrorFacts): JsonObject
}

export const ASSIST_PATH = '/v1/assist'

/** A bare AgentRequest; answered by the bare outputs, or by CloudEvents. */
export const TRANSPORT: AssistWire = {
  toRun,
  createEncoder,
  answer: (_request, _result, outputs) => outputs,
  refusal: transportError,
}
