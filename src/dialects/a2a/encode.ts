import type { JsonObject } from '../../protocol/json/json.ts'
import type { EndEvent, RunEvent } from '../../protocol/run/event.ts'
import { bare, type RunResult, RunSum } from '../../protocol/run/fold.ts'
import type { Run } from '../../protocol/run/run.ts'
import { inExtension } from './extension.ts'
import { partOf } from './parts.ts'
import {
  agentMessage,
  answerArtifact,
  artifactOf,
  citing,
  contextOf,
  measuresOf,
  outputArtifact,
  statusOf,
  stepMessage,
  timeOf,
} from './task.ts'

/** Characters of text that one update has, at most; a single longer piece goes alone. */
const MOST = 64 * 1024

/**
 * Tells a run's events as A2A 1.0 streams them. `told` is what the reader already knows from the task that
 * opened its stream. All text parts of the answer's updates, in a row, are the whole text: pieces of it that
 * are there at the same time are parts of one update, because every update costs far more than its text.
 */
export function createEncoder(
  run: Run,
  told: RunResult,
): (events: readonly RunEvent[]) => readonly JsonObject[] {
  const about = { taskId: run.run_id, contextId: contextOf(run) }
  let hasAnswer = told.text !== '' || told.content.length > 0
  let steps = told.steps.length
  const citations = [...told.citations]
  let usage = told.usage

  return (events) => {
    const pieces: JsonObject[] = []
    let parts: JsonObject[] = []
    let length = 0
    const tellParts = () => {
      if (parts.length > 0) pieces.push(answer(parts))
      parts = []
      length = 0
    }
    for (const event of events) {
      if (event.type === 'text' || event.type === 'content') {
        const size = event.type === 'text' ? event.delta.length : MOST
        if (length + size > MOST) tellParts()
        length += size
        parts.push(event.type === 'text' ? { text: event.delta } : partOf(event.part))
      } else {
        tellParts()
        pieces.push(...encode(event))
      }
    }
    tellParts()
    return pieces
  }

  function encode(event: Exclude<RunEvent, { type: 'text' | 'content' }>): readonly JsonObject[] {
    switch (event.type) {
      case 'started':
        return [working(event)]
      case 'step': {
        const { number, name, progress, status } = event
        const said = { step: { number, name, progress, status } }
        return [working(event, stepMessage(run, event, steps++), said)]
      }
      case 'artifact':
        return [whole(artifactOf(event))]
      case 'citation': {
        const citation = bare(event)
        citations.push(citation)
        return [working(event, undefined, { citation: citation as JsonObject })]
      }
      case 'tool_call': {
        const { call_id, name, arguments: given } = event
        return [working(event, undefined, { toolCall: { callId: call_id, name, arguments: given } })]
      }
      case 'tool_output':
        return [working(event, undefined, { toolOutput: { callId: event.call_id, output: event.output } })]
      case 'reasoning':
        return [working(event, undefined, { reasoning: event.delta })]
      case 'usage':
        usage = { ...usage, ...event.usage }
        return []
      case 'heartbeat':
        return event.note === ''
          ? [working(event)]
          : [working(event, agentMessage(run, `note-${event.sequence}`, event.note))]
      case 'completed':
      case 'failed':
      case 'canceled':
        return ending(event)
    }
  }

  function working({ at }: RunEvent, message?: JsonObject, said?: JsonObject): JsonObject {
    const status = { state: 'TASK_STATE_WORKING', timestamp: timeOf(at) }
    return {
      statusUpdate: {
        ...about,
        status: message === undefined ? status : { ...status, message },
        ...(said === undefined ? {} : { metadata: inExtension(said) }),
      },
    }
  }

  function answer(
    parts: readonly JsonObject[],
    { lastChunk = false, ...cited }: JsonObject = {},
  ): JsonObject {
    const append = hasAnswer
    hasAnswer = true
    const artifact = { ...answerArtifact(run, parts), ...cited }
    return { artifactUpdate: { ...about, artifact, append, lastChunk } }
  }

  function whole(artifact: JsonObject): JsonObject {
    return { artifactUpdate: { ...about, artifact, append: false, lastChunk: true } }
  }

  /** The answer is closed, with its sources, and then the task. */
  function ending(event: EndEvent): JsonObject[] {
    const { result } = new RunSum({ ...told, citations, usage }).add(event)
    const closed = hasAnswer || citations.length > 0
    return [
      ...(closed ? [answer([{ text: '' }], { lastChunk: true, ...citing(citations) })] : []),
      ...(result.output === null ? [] : [whole(outputArtifact(run, result.output))]),
      {
        statusUpdate: {
          ...about,
          status: statusOf(run, result, event.at),
          metadata: inExtension(measuresOf(result)),
        },
      },
    ]
  }
}
