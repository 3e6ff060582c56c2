import type { ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import type { Runs } from '../../methods/runs/service.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { SseFrame } from '../../protocol/sse/sse.ts'
import { type EventStreamOptions, openEventStream } from '../reply/sse.ts'

export interface RunStream extends EventStreamOptions {
  readonly response: ServerResponse
  readonly runs: Runs
  readonly runId: string
  readonly caller: Caller
  /** Only what comes after this event; what `Last-Event-ID` says, where the dialect has it. */
  readonly after?: number
  /** The dialect's words for one event: none, one or several frames. May remember what came before. */
  readonly encode: (event: RunEvent) => readonly SseFrame[]
}

/** Sends a run to its reader, all that there is at a time, until it ends or the reader leaves. */
export async function streamRun({
  response,
  runs,
  runId,
  caller,
  after = 0,
  encode,
  ...options
}: RunStream): Promise<void> {
  // A run that the caller may not see is refused here, while there still can be a status.
  runs.get(runId, caller)
  const stream = openEventStream(response, options)
  try {
    for await (const events of runs.followBatches(runId, caller, { after, signal: stream.signal }))
      await stream.send(events.flatMap(encode))
  } finally {
    stream.end()
  }
}
