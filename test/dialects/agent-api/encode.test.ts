import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEncoder } from '../../../src/dialects/agent-api/encode.ts'
import type { RunEvent, RunnerEvent } from '../../../src/protocol/run/event.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { completedRun, failedRun, numbered, requestWith, text } from '../../support/dialects/run-events.ts'

const RUN = {
  run_id: '01a1e274-2f5d-7b1c-8a53-6d0e4c91f2b7',
  request: requestWith({
    dialect: 'agent-api',
    request_id: 'response_123',
    session_id: 'alice/s1',
    wire: { session_id: 's1' },
  }),
  created_at: stampOfMillis(Date.UTC(2026, 0, 19, 12)),
}

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
type Told = any

function told(events: readonly RunEvent[]): Told[] {
  const encode = createEncoder(RUN)
  return events.flatMap((event) => encode(event))
}

/** Ids of messages are told by their order. */
function lines(events: readonly RunEvent[]): string[] {
  const names = new Map<string, string>()
  const named = (id: string) => {
    if (!names.has(id)) names.set(id, `msg_${names.size + 1}`)
    return names.get(id) ?? id
  }
  return told(events).map((event) => JSON.stringify(event).replace(/msg_[0-9a-f-]{36}/g, named))
}

const golden = (name: string): string[] =>
  readFileSync(new URL(`golden/${name}.ndjson`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')

const CALL: RunnerEvent = {
  type: 'tool_call',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Bern"}',
}

describe('the transcript', () => {
  test('of the document is told to the letter, but for what its own clients cannot read', () => {
    expect(lines(completedRun([text('Hello'), text(', '), text('world')]))).toEqual(golden('hello'))
  })

  test('of reasoning and a tool: each is complete before the next begins (AS-18, AS-19) [agentapi-call-1] [agentapi-call-2]', () => {
    const events = completedRun([
      { type: 'reasoning', delta: 'look it up' },
      text('One moment.'),
      CALL,
      { type: 'tool_output', call_id: 'call_1', output: '"sunny"' },
      text('Sunny.'),
    ])
    const expected = golden('tools')
    expect(lines(events).slice(0, expected.length)).toEqual(expected)
  })

  test('is the same when it is told again, and another one for another attempt', () => {
    const events = completedRun([text('a'), CALL])
    expect(told(events)).toEqual(told(events))
    const [started, ...rest] = events
    const second = [{ ...started, attempt: 2 } as RunEvent, ...rest]
    expect(told(second).at(-1).output[0].id).not.toBe(told(events).at(-1).output[0].id)
  })
})

describe('a content that is no text', () => {
  const IMAGE: RunnerEvent = { type: 'content', part: { type: 'image', image_url: 'https://x/a.png' } }

  test('has a slot of its own in the message it belongs to, which ends with it [agentapi-content-1]', () => {
    const events = told(completedRun([text('see'), IMAGE, text('and'), IMAGE, IMAGE]))
    const { output } = events.at(-1)
    expect(output.map(({ content }: Told) => content.map(({ type, index }: Told) => [type, index]))).toEqual([
      [
        ['text', 0],
        ['image', 1],
      ],
      [
        ['text', 0],
        ['image', 1],
      ],
      [['image', 0]],
    ])
    const contents = events.filter(({ object }) => object === 'content')
    expect(contents.every(({ delta, status }) => delta === (status === 'in_progress'))).toBe(true)
  })

  test.each([
    { type: 'image', image_url: 'https://x/a.png' },
    { type: 'data', data: { a: 1 } },
    { type: 'audio', data: 'UklGRg==', format: 'wav' },
    { type: 'video', video_url: 'https://x/a.mp4' },
    { type: 'file', file_url: 'https://x/a.pdf', file_id: 'f1', filename: 'a.pdf', file_data: 'JVBERi0=' },
    { type: 'refusal', refusal: 'I will not' },
  ] as const)('keeps what $type carries [agentapi-content-2]', (part) => {
    const events = told(completedRun([{ type: 'content', part }]))
    expect(events.find(({ object }) => object === 'content')).toMatchObject(part)
    expect(events.at(-1).output[0].content).toMatchObject([part])
  })

  test('tells an artifact as data, or as a file where it lies elsewhere', () => {
    const about = {
      type: 'artifact',
      artifact_id: 'a1',
      name: 'spec',
      mime_type: 'application/json',
    } as const
    const contents = told(
      completedRun([
        { ...about, data: { path: '/me' } },
        { ...about, url: 'https://x/spec.json' },
      ]),
    )
      .at(-1)
      .output.flatMap(({ content }: Told) => content)
    expect(contents).toMatchObject([
      { type: 'data', data: { artifact_id: 'a1', name: 'spec', data: { path: '/me' } } },
      { type: 'file', file_url: 'https://x/spec.json', file_id: 'a1', filename: 'spec' },
    ])
  })
})

describe('the sources of an answer', () => {
  const SOURCE: RunnerEvent = {
    type: 'citation',
    uri: 'cacp:contract/c1',
    text: 'GET /me',
    title: 'Me',
    indices: [0, 4],
  }

  test('go with the message that they are about', () => {
    const { output } = told(completedRun([text('It is'), SOURCE, text(' there')])).at(-1)
    expect(output).toMatchObject([{ metadata: { citations: [{ uri: 'cacp:contract/c1', title: 'Me' }] } }])
  })

  test('are told as data when no message is left for them', () => {
    const image = { type: 'content', part: { type: 'image', image_url: 'https://x/a.png' } } as const
    const { output } = told(completedRun([image, SOURCE])).at(-1)
    expect(output[1].content).toMatchObject([{ data: { citations: [{ uri: 'cacp:contract/c1' }] } }])
  })
})

describe('the end', () => {
  test('has a message with a content even when nothing was said', () => {
    expect(told(completedRun([])).at(-1).output).toMatchObject([{ content: [{ type: 'text', text: '' }] }])
  })

  test.each([
    ['the answer', 'the answer', [{ type: 'text', text: 'the answer' }]],
    ['', 'only as a result', [{ type: 'text', text: 'only as a result' }]],
    ['said', 'more', [{ type: 'text' }, { type: 'data', data: { output: 'more' } }]],
  ])('of %j with the result %j has each of them once', (said, output, content) => {
    const end = told(completedRun(said === '' ? [] : [text(said)], output)).at(-1)
    expect(end.output).toHaveLength(1)
    expect(end.output[0].content).toHaveLength(content.length)
    expect(end.output[0].content).toMatchObject(content)
  })

  test('of a failure keeps what was said, with a code and a message as text (AS-16) [agentapi-error-1]', () => {
    const events = told(failedRun([text('one'), text('two')]))
    expect(events.at(-1)).toMatchObject({
      object: 'response',
      status: 'failed',
      error: { code: 'AGENT_EXECUTION_FAILED', message: 'The agent ended with code 3' },
      output: [{ status: 'incomplete', content: [{ text: 'onetwo', status: 'incomplete' }] }],
    })
    expect(events.at(-2)).toMatchObject({ object: 'message', status: 'incomplete' })
  })

  test('of what was canceled is failed, with a code that says so [agentapi-status-3]', () => {
    const measured = { attempt: 1, duration_ms: 5, exit_code: null, cpu_ms: null }
    const events = numbered([
      { type: 'started', attempt: 1, runner: 'echo' },
      { type: 'canceled', reason: 'canceled by request', ...measured },
    ])
    expect(told(events).at(-1)).toMatchObject({
      status: 'failed',
      error: { code: 'CANCELED', message: 'canceled by request' },
      output: [],
    })
  })

  test('is whole also for a run of which only the end is known', () => {
    const events = told(failedRun([]).slice(-1))
    expect(events.map(({ status }) => status)).toEqual(['created', 'in_progress', 'failed'])
  })

  test('has the usage, the later numbers over the earlier ones [agentapi-response-4]', () => {
    const events = completedRun([
      { type: 'usage', usage: { input_tokens: 3, output_tokens: 1 } },
      text('a'),
      { type: 'usage', usage: { output_tokens: 2 } },
    ])
    expect(told(events).at(-1).usage).toEqual({ input_tokens: 3, output_tokens: 2, duration_ms: 1200 })
  })
})

test('silence and progress are heartbeats, which are no part of the answer', () => {
  const events = told(
    completedRun([
      text('a'),
      { type: 'heartbeat', note: 'still at work' },
      { type: 'step', number: 1, name: 'build', output: 'ok', progress: 50, status: 'running' },
      text('b'),
    ]),
  )
  const heartbeats = events.filter(({ type }) => type === 'heartbeat')
  expect(heartbeats).toMatchObject([
    { object: 'message', role: 'assistant', content: null },
    { object: 'message', content: [{ type: 'data', data: { name: 'build', progress: 50 } }] },
  ])
  expect(events.at(-1).output).toMatchObject([{ type: 'message', content: [{ text: 'ab' }] }])
})
