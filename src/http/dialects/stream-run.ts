import type { ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { Run } from '../../protocol/run/run.ts'
import type { SseFrame } from '../../protocol/sse/sse.ts'
import { openEventStream } from '../reply/sse.ts'
import type { DialectDeps } from './dialect-routes.ts'

interface RunStream {
  readonly run: Run
  readonly response: ServerResponse
  readonly caller: Caller
  /** The dialect's words for one event: none, one or several frames. May remember the events before. */
  readonly encode: (event: RunEvent) => readonly SseFrame[]
}

/** Sends the events of a run to its reader, in batches as they come, until the run ends or the reader leaves. */
export async function streamRun(
  { services: { runs }, accessWatch, commentMillis }: DialectDeps,
  { run: { run_id: runId }, response, caller, encode }: RunStream,
): Promise<void> {
  // A run that the caller may not see is refused here, while there still can be a status.
  runs.get(runId, caller)
  const stream = openEventStream(response, { commentMillis, watch: accessWatch.watching(caller) })
  try {
    for await (const events of runs.follow(runId, caller, { signal: stream.signal }))
      await stream.send(events.flatMap(encode))
  } finally {
    stream.end()
  }
}
