import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import type { Run } from '../../protocol/run/run.ts'
import type { SseFrame } from '../../protocol/sse/sse.ts'
import { type AskEnv, type Asked, toRun } from './agent-request.ts'
import { createEncoder } from './cloud-events.ts'
import { type Trouble, transportError } from './refusals.ts'

/** One of the two protocols that share a path, as its door needs it. */
export interface AssistWire {
  toRun(body: unknown, env: AskEnv): Asked
  /** For a reader that wants a stream. */
  createEncoder(run: Run): (event: RunEvent) => readonly SseFrame[]
  /** For a reader that waits for the end: the outputs of a run that completed. */
  answer(request: RunRequest, result: RunResult, outputs: JsonObject): Json
  /** For one that cannot be answered: why. */
  refusal(trouble: Trouble): JsonObject
}

export const ASSIST_PATH = '/v1/assist'

/** A bare AgentRequest; answered by the bare outputs, or by CloudEvents. */
export const TRANSPORT: AssistWire = {
  toRun,
  createEncoder,
  answer: (_request, _result, outputs) => outputs,
  refusal: transportError,
}
