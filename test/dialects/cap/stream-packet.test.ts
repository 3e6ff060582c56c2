import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEncoder, packetsOf, StreamPacket } from '../../../src/dialects/cap/stream-packet.ts'
import { UserErrorEvent } from '../../../src/dialects/coreason/presentation.ts'
import { sseText } from '../../../src/protocol/sse/sse.ts'
import { PresentationEvent } from '../../support/dialects/presentation-event.ts'
import { completedRun, failedRun, numbered, text } from '../../support/dialects/run-events.ts'

const golden = (name: string) => readFileSync(new URL(`golden/${name}.txt`, import.meta.url), 'utf8')
const isPacket = (value: unknown) => StreamPacket.safeParse(value).success

test('a run is told as these packets, byte for byte [cap-packet-1] [cap-packet-3]', () => {
  const events = completedRun([
    text('The'),
    text(' project'),
    { type: 'citation', uri: 'cacp:contract/1', text: 'quoted', indices: [0, 3] },
    {
      type: 'artifact',
      artifact_id: 'a1',
      name: 'Table',
      mime_type: 'text/csv',
      url: 'https://example.com/t.csv',
    },
  ])
  expect(
    events
      .flatMap(createEncoder({ run_id: 'run-1' }))
      .map(sseText)
      .join(''),
  ).toBe(golden('answer'))
})

test('every packet is one by its own schema, and has a payload [cap-packet-2] CAP-20', () => {
  const told = completedRun(
    [
      text('a'),
      { type: 'reasoning', delta: 'hm' },
      { type: 'step', number: 1, name: 'look', output: '', progress: null, status: 'paused' },
      { type: 'tool_call', call_id: 'c', name: 'grep', arguments: '{}' },
      { type: 'tool_output', call_id: 'c', output: 'found' },
      { type: 'content', part: { type: 'text', text: 'x' } },
      { type: 'usage', usage: { input_tokens: 1 } },
      { type: 'heartbeat', note: '' },
    ],
    'done',
  )
  for (const packet of [...told, ...failedRun([])].flatMap(packetsOf)) {
    expect(StreamPacket.parse(packet)).toEqual(packet)
    expect(Object.hasOwn(packet, 'p')).toBe(true)
  }
})

test('what may pass is transient, and its details are told [cap-error-1] CAP-13', () => {
  const measured = { attempt: 1, duration_ms: 1, exit_code: null, cpu_ms: null }
  const [failed] = numbered([
    {
      type: 'failed',
      kind: 'timeout',
      message: 'Too slow',
      retryable: true,
      data: { seconds: 3 },
      ...measured,
    },
  ])
  expect(failed && packetsOf(failed)[0]).toEqual({
    op: 'error',
    p: { code: 'timeout', message: 'Too slow', severity: 'transient', details: { seconds: 3 } },
  })
})

describe('what is a packet and what is not [cap-packet-1] [cap-packet-2] [cap-error-1]', () => {
  const error = { code: 'rate_limit_exceeded', message: 'Too many requests', severity: 'transient' }

  test.each([
    ['CAP-11', { op: 'delta', p: 'The' }],
    ['CAP-11', { op: 'delta', p: '' }],
    ['CAP-13', { op: 'error', p: error }],
    ['CAP-13', { op: 'error', p: { ...error, details: { retry_after: 60 } } }],
    ['CAP-14', { op: 'event', p: { type: 'citation', uri: 'u', text: 't', extra: 1 } }],
    ['CAP-17', { op: 'close', p: null }],
    ['CAP-17', { op: 'close' }],
  ])('%s %j is', (_, packet) => {
    expect(isPacket(packet)).toBe(true)
  })

  test.each([
    ['CAP-11', { op: 'delta', p: 5 }],
    ['CAP-11', { op: 'delta', p: {} }],
    ['CAP-11', { op: 'delta', p: null }],
    ['CAP-13', { op: 'error', p: { ...error, severity: undefined } }],
    ['CAP-13', { op: 'error', p: { ...error, severity: 'TRANSIENT' } }],
    ['CAP-13', { op: 'error', p: { ...error, code: 429 } }],
    ['CAP-13', { op: 'error', p: 'failed' }],
    ['CAP-14', { op: 'event', p: [1] }],
    ['CAP-16', { op: 'DELTA', p: 'The' }],
    ['CAP-16', { op: 'zz', p: 'The' }],
  ])('%s %j is not', (_, packet) => {
    expect(isPacket(packet)).toBe(false)
  })

  test('an event that looks like an error keeps all its keys CAP-14', () => {
    const packet = { op: 'event', p: { ...error, extra: 1 } }
    expect(StreamPacket.parse(packet)).toEqual(packet)
  })
})

describe('what can be shown [cap-citation-1] [cap-usererror-1]', () => {
  test('a user_error is of the system and final, unless it says otherwise CAP-22', () => {
    expect(UserErrorEvent.parse({ type: 'user_error', message: 'm' })).toEqual({
      type: 'user_error',
      message: 'm',
      domain: 'system',
      retryable: false,
    })
    expect(UserErrorEvent.safeParse({ type: 'user_error', message: 'm', domain: 'logic' }).success).toBe(
      false,
    )
  })

  test.each([[[1]], [[2, 1]], [[0, 1, 2]], [[-1, 2]]])('a citation has no indices %j', (indices) => {
    const citation = { type: 'citation', uri: 'u', text: 't', indices }
    expect(PresentationEvent.safeParse(citation).success).toBe(false)
  })
})
