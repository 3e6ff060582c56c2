import { readFileSync } from 'node:fs'
import { CloudEvent } from 'cloudevents'
import { expect, test } from 'vitest'
import { createEncoder, SUMMARY_LENGTH, sequenceIn } from '../../../src/dialects/coreason/cloud-events.ts'
import type { RunEvent, RunnerEvent } from '../../../src/protocol/run/event.ts'
import type { Run } from '../../../src/protocol/run/run.ts'
import { sseText } from '../../../src/protocol/sse/sse.ts'
import { parseStamp } from '../../../src/protocol/stamp.ts'
import { completedRun, failedRun, numbered, requestWith, text } from '../../support/dialects/run-events.ts'

const NOON = parseStamp('2026-01-19T12:00:00Z')
if (NOON === undefined) throw new Error('not a time')

const RUN: Run = {
  run_id: 'run-1',
  request: requestWith({
    request_id: '123e4567-e89b-12d3-a456-426614174000',
    dialect: 'coreason',
    lineage: { root_request_id: '123e4567-e89b-12d3-a456-426614174000' },
  }),
  asked_by: { kind: 'operator', agent_id: 'aid://example.com/backend@1.0.0', repo_name: 'backend-api' },
  status: 'in_progress',
  attempt: 1,
  runner: '1',
  created_at: NOON,
  ended_at: null,
  last_sequence: 0,
  failure: null,
}

const golden = (name: string) => readFileSync(new URL(`golden/${name}.txt`, import.meta.url), 'utf8')
const transcript = (events: readonly RunEvent[]) => events.flatMap(createEncoder(RUN)).map(sseText).join('')
const dataOf = (events: readonly RunEvent[]) =>
  events.flatMap(createEncoder(RUN)).map(({ data }) => JSON.parse(data))

test("the document's example stream is told as it is written there, with what its readers need besides [transport-stream-5]", () => {
  expect(transcript(completedRun([text('Hello')]))).toBe(golden('hello'))
})

test('a failure is told as the last event [transport-error-2]', () => {
  expect(transcript(failedRun([text('Hel')]))).toBe(golden('failure'))
})

test('every kind of event is one that a strict reader of CloudEvents takes [transport-stream-1]', () => {
  const told: RunnerEvent[] = [
    text('a'),
    { type: 'reasoning', delta: 'hm' },
    { type: 'step', number: 1, name: 'look', output: '', progress: 10, status: 'running' },
    { type: 'tool_call', call_id: 'c', name: 'grep', arguments: '{}' },
    { type: 'tool_output', call_id: 'c', output: 'found' },
    { type: 'citation', uri: 'cacp:contract/1', text: 'quoted', indices: [3, 1] },
    {
      type: 'artifact',
      artifact_id: 'a b',
      name: 'n',
      mime_type: 'application/vnd.x+json; charset=utf-8',
      data: {},
    },
    { type: 'content', part: { type: 'image', image_url: 'https://example.com/a.png' } },
    { type: 'usage', usage: { input_tokens: 1 } },
  ]
  const ends = [completedRun(told, 'done'), failedRun(told), canceled(told)]
  for (const events of ends) {
    const read = dataOf(events)
    expect(read).toHaveLength(events.length)
    for (const event of read) expect(new CloudEvent(event).validate()).toBe(true)
  }
  const [, , , , , , citation, artifact] = dataOf(ends[0] ?? [])
  // Indices that make no sense are left out.
  expect(citation.data).toEqual({ node_id: '1', uri: 'cacp:contract/1', text: 'quoted' })
  expect(artifact.data).toMatchObject({ artifact_type: 'JSON', url: 'urn:cacp:artifact:a%20b', content: {} })
})

test('a heartbeat is no event: the comments of the stream say as much', () => {
  expect(dataOf(completedRun([{ type: 'heartbeat', note: '' }]))).toHaveLength(2)
})

test('the summary of a long text is its beginning, never half a character TR-07', () => {
  const long = `${'x'.repeat(SUMMARY_LENGTH - 1)}😀 and more`
  const end = dataOf(completedRun([...long].map(text))).at(-1)
  expect(end.data.output_summary).toBe(`${'x'.repeat(SUMMARY_LENGTH - 1)}…`)
})

test('another attempt begins its summary anew', () => {
  const events = [...failedRun([text('first')]), ...completedRun([text('second')])]
  expect(dataOf(events).at(-1).data.output_summary).toBe('second')
})

test.each([
  ['run-1:7', 7],
  ['run-2:7', undefined],
  ['run-1:', undefined],
  ['run-1:7x', undefined],
  ['7', undefined],
  ['', undefined],
])('the id %j is that of event %j [transport-replay-1]', (id, sequence) => {
  expect(sequenceIn(id, 'run-1')).toBe(sequence)
})

function canceled(told: readonly RunnerEvent[]): RunEvent[] {
  const measured = { attempt: 1, duration_ms: 1, exit_code: null, cpu_ms: null }
  return numbered([
    { type: 'started', attempt: 1, runner: '1' },
    ...told,
    { type: 'canceled', reason: '', ...measured },
  ])
}
