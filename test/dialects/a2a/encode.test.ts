import { describe, expect, test } from 'vitest'
import { createEncoder } from '../../../src/dialects/a2a/encode.ts'
import { taskOf } from '../../../src/dialects/a2a/task.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import type { RunEvent, RunnerEvent } from '../../../src/protocol/run/event.ts'
import { NO_RESULT, type RunResult } from '../../../src/protocol/run/fold.ts'
import type { Run } from '../../../src/protocol/run/run.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { answerIn, EXTENSION, streamedText } from '../../support/dialects/a2a-client.ts'
import {
  completedRun,
  failedRun,
  foldRun,
  numbered,
  ODD_TEXT,
  requestWith,
  text,
} from '../../support/dialects/run-events.ts'

const RUN: Run = {
  run_id: 'task-1',
  request: requestWith({
    dialect: 'a2a',
    request_id: 'message-1',
    session_id: 'context-1',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  }),
  asked_by: { kind: 'operator', agent_id: 'aid://example.com/backend@1.0.0', repo_name: null },
  status: 'in_progress',
  attempt: 1,
  runner: 'librarian',
  created_at: stampOfMillis(Date.UTC(2026, 0, 19, 12)),
  ended_at: null,
  last_sequence: 0,
  failure: null,
}

/** One by one, as they come from an agent that takes its time. */
function encoded(events: readonly RunEvent[], told: RunResult = NO_RESULT): JsonObject[] {
  const encode = createEncoder(RUN, told)
  return events.flatMap((event) => encode([event]))
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
const any = (value: unknown): any => value

const CITATION = { uri: 'cacp:contract/c1', text: 'Create order' }
const ARTIFACT: RunnerEvent = {
  type: 'artifact',
  artifact_id: 'c1',
  name: 'Create order',
  mime_type: 'application/json',
  data: { path: '/orders' },
}

describe('a stream', () => {
  test('has one working status, the pieces of the answer, and one end', () => {
    const pieces = encoded(completedRun([text('a'), text(ODD_TEXT), text('😀')]))
    expect(pieces.map((piece) => Object.keys(piece)[0])).toEqual([
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ])
    expect(streamedText(pieces)).toBe(`a${ODD_TEXT}😀`)
    expect(any(pieces.at(-1))).toMatchObject({
      statusUpdate: {
        taskId: 'task-1',
        contextId: 'context-1',
        status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-19T12:00:05.000Z' },
        metadata: { [EXTENSION]: { durationMs: 1200 } },
      },
    })
  })

  test('has pieces of the answer that come together as parts of one update, within a bound', () => {
    const long = 'x'.repeat(40 * 1024)
    const events = completedRun([
      text('a'),
      text('b'),
      { type: 'heartbeat', note: '' },
      text(long),
      text('c'),
      text(long),
    ])
    const pieces = createEncoder(RUN, NO_RESULT)(events)
    const parts = pieces.map((piece) => any(piece).artifactUpdate?.artifact.parts.length)
    expect(parts).toEqual([undefined, 2, undefined, 2, 1, 1, undefined])
    expect(streamedText(pieces)).toBe(`ab${long}c${long}`)
    const appended = pieces.flatMap((piece) => any(piece).artifactUpdate?.append ?? [])
    expect(appended).toEqual([false, true, true, true])
  })

  test('without a word of an answer has no artifact', () => {
    expect(encoded(completedRun([])).map((piece) => Object.keys(piece)[0])).toEqual([
      'statusUpdate',
      'statusUpdate',
    ])
  })

  test('tells sources at once, and all of them when the answer is closed', () => {
    const pieces = encoded(completedRun([text('a'), { type: 'citation', ...CITATION }]))
    expect(any(pieces[2]).statusUpdate.metadata[EXTENSION]).toEqual({ citation: CITATION })
    expect(any(pieces[3]).artifactUpdate).toMatchObject({
      append: true,
      lastChunk: true,
      artifact: { metadata: { [EXTENSION]: { citations: [CITATION] } } },
    })
  })

  test('tells steps as messages, tools and thoughts as metadata, artifacts as artifacts', () => {
    const pieces = encoded(
      completedRun(
        [
          { type: 'step', number: 1, name: 'search', output: '', progress: 10, status: 'running' },
          { type: 'step', number: 2, name: 'read', output: 'two', progress: 20, status: 'step_completed' },
          { type: 'reasoning', delta: 'hm' },
          { type: 'tool_call', call_id: 't1', name: 'grep', arguments: '{}' },
          { type: 'tool_output', call_id: 't1', output: 'found' },
          { type: 'usage', usage: { input_tokens: 3 } },
          { type: 'heartbeat', note: '' },
          ARTIFACT,
          { type: 'content', part: { type: 'image', image_url: 'https://example.com/a.png' } },
        ],
        'whole',
      ),
    )
    const said = pieces.map((piece) => any(piece).statusUpdate ?? any(piece).artifactUpdate)
    expect(said[1].status.message).toMatchObject({
      messageId: 'task-1-1-step-1',
      parts: [{ text: 'search' }],
    })
    expect(said[1].metadata[EXTENSION].step).toMatchObject({ number: 1, progress: 10 })
    expect(said[2].status.message).toMatchObject({
      messageId: 'task-1-1-step-2',
      parts: [{ text: 'read: two' }],
    })
    expect(said[3].metadata[EXTENSION]).toEqual({ reasoning: 'hm' })
    expect(said[4].metadata[EXTENSION].toolCall).toMatchObject({ name: 'grep' })
    expect(said[5].metadata[EXTENSION].toolOutput).toEqual({ callId: 't1', output: 'found' })
    expect(said[6]).not.toHaveProperty('metadata')
    expect(said[7]).toMatchObject({
      artifact: { artifactId: 'c1', parts: [{ data: { path: '/orders' }, mediaType: 'application/json' }] },
      append: false,
      lastChunk: true,
    })
    expect(said[8].artifact.parts).toEqual([{ url: 'https://example.com/a.png' }])
    expect(said[10].artifact).toMatchObject({ name: 'output', parts: [{ data: 'whole' }] })
    expect(said[11].metadata[EXTENSION]).toMatchObject({ usage: { input_tokens: 3 } })
  })

  test('ends with the reason of a failure or a cancellation', () => {
    expect(any(encoded(failedRun([text('a')])).at(-1)).statusUpdate).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: { role: 'ROLE_AGENT', parts: [{ text: 'The agent ended with code 3' }] },
      },
      metadata: { [EXTENSION]: { exitCode: 3, failure: { kind: 'agent_failed', retryable: false } } },
    })
    const canceled = numbered([
      {
        type: 'canceled',
        reason: 'enough',
        attempt: 1,
        duration_ms: 1,
        exit_code: null,
        cpu_ms: null,
      },
    ])
    expect(any(encoded(canceled)[0]).statusUpdate.status).toMatchObject({
      state: 'TASK_STATE_CANCELED',
      message: { parts: [{ text: 'enough' }] },
    })
  })

  test('taken up at any event goes on where the task stands', () => {
    const events = completedRun([
      text('a'),
      { type: 'step', number: 1, name: 'one', output: '', progress: null, status: 'running' },
      text('b'),
      { type: 'citation', ...CITATION },
      { type: 'step', number: 2, name: 'two', output: '', progress: null, status: 'running' },
      ARTIFACT,
      text('c'),
    ])
    const whole = any(taskOf(RUN, foldRun(events)))
    for (let at = 0; at < events.length; at++) {
      const told = foldRun(events.slice(0, at))
      const task = any(taskOf(RUN, told))
      const pieces = encoded(events.slice(at), told)
      expect(answerIn(task) + streamedText(pieces)).toBe('abc')
      const later = pieces.flatMap((piece) => any(piece).statusUpdate?.status.message ?? [])
      expect([...task.history, ...later]).toEqual(whole.history)
      const closing = pieces.map((piece) => any(piece).artifactUpdate?.artifact.metadata).find(Boolean)
      expect(closing).toEqual(whole.artifacts[0].metadata)
    }
  })
})

test('a task shows all that its events said', () => {
  const result = foldRun(completedRun([text('a'), text('b'), { type: 'citation', ...CITATION }, ARTIFACT]))
  expect(taskOf({ ...RUN, status: 'completed' }, result)).toEqual({
    id: 'task-1',
    contextId: 'context-1',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-19T12:00:06.000Z' },
    artifacts: [
      {
        artifactId: 'task-1-answer',
        name: 'answer',
        parts: [{ text: 'ab' }],
        metadata: { [EXTENSION]: { citations: [CITATION] } },
      },
      {
        artifactId: 'c1',
        name: 'Create order',
        parts: [{ data: { path: '/orders' }, mediaType: 'application/json' }],
      },
    ],
    history: [
      {
        messageId: 'message-1',
        role: 'ROLE_USER',
        taskId: 'task-1',
        contextId: 'context-1',
        parts: [{ text: 'hi' }],
      },
    ],
    metadata: {
      [EXTENSION]: { workType: 'answer_question', runner: 'librarian', attempt: 1, durationMs: 1200 },
    },
  })
})
