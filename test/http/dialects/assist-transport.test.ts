import { randomUUID } from 'node:crypto'
import { CloudEvent } from 'cloudevents'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Capability } from '../../../src/protocol/agent/capability.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import {
  AGENT_REQUEST,
  assist,
  capEchoing,
  cloudEventsIn,
  echoing,
  eventsIn,
  STREAM,
  telling,
} from '../../support/dialects/assist.ts'
import { ODD_TEXT } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

const ID = '9b2d4a3e-0c1f-4a55-8f6e-2f1f0d9c7b11'
const ROOT = '9b2d4a3e-0c1f-4a55-8f6e-2f1f0d9c7b12'

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon({ runUnwatchedSeconds: 1, streamCommentSeconds: 1 })
})
afterAll(() => backend[Symbol.asyncDispose]())

const fresh = (part: object = {}) => ({ ...AGENT_REQUEST, request_id: randomUUID(), ...part })

describe('the answer at the end', () => {
  test("the document's request gets an object of the capability's outputs as JSON [transport-endpoint-1] [transport-request-1] [transport-mode-1] [transport-response-1] TR-01", async () => {
    const { status, headers, json } = await assist(backend, AGENT_REQUEST)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(json).toEqual({ text: expect.any(String) })
  })

  test('the text goes where the configured outputs want it, and nothing else does [transport-response-1]', async () => {
    await using sunny = await daemon({
      agent: telling([{ type: 'text', delta: 'The weather is sunny.' }]),
      capabilities: [
        Capability.parse({
          name: 'weather',
          outputs: {
            type: 'object',
            required: ['summary'],
            properties: { summary: { type: 'string' } },
            additionalProperties: false,
          },
        }),
      ],
    })
    expect((await assist(sunny, AGENT_REQUEST)).json).toEqual({ summary: 'The weather is sunny.' })
  })

  test('an answer that is not what the capability promises is not given out [transport-response-1]', async () => {
    await using broken = await daemon({
      agent: telling([{ type: 'text', delta: 'no number' }]),
      capabilities: [
        Capability.parse({
          name: 'count',
          outputs: { type: 'object', required: ['count'], properties: { count: { type: 'number' } } },
        }),
      ],
    })
    const { status, json } = await assist(broken, AGENT_REQUEST)
    expect(status).toBe(502)
    expect(json).toMatchObject({ kind: 'bad_output', error_message: expect.stringContaining('count') })
  })
})

describe('the stream', () => {
  test('a value that a pattern of its inputs takes for ever over is refused, and others are served meanwhile', async () => {
    const inputs = { type: 'object', properties: { query: { type: 'string', pattern: '^(a+)+$' } } }
    await using backtracking = await daemon({ capabilities: [Capability.parse({ name: 'b', inputs })] })
    const order: string[] = []
    const asked = assist(backtracking, fresh({ payload: { query: `${'a'.repeat(40)}!` } })).then((reply) => {
      order.push('asked')
      return reply
    })
    await backtracking.rpc('cacp/project/list').then(() => order.push('listed'))
    const { status, text } = await asked
    expect(order).toEqual(['listed', 'asked'])
    expect({ status, text }).toEqual({
      status: 400,
      text: expect.stringContaining('payload cannot be checked'),
    })
  }, 20_000)

  test('a capability of that mode streams, and the card lists it [transport-mode-1] [transport-capability-1] TR-02', async () => {
    const inputs = { type: 'object', properties: { query: { type: 'string' } } }
    const outputs = { type: 'object', properties: { summary: { type: 'string' } } }
    const told = { name: 'ask', description: 'Asks', delivery_mode: 'server_sent_events', inputs, outputs }
    await using streaming = await daemon({ capabilities: [Capability.parse(told)] })
    const { status, headers } = await assist(streaming, AGENT_REQUEST)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/event-stream(?:;|$)/)
    const { json: card } = await streaming.fetch('/.well-known/agent.json')
    expect(card.extensions.coreason).toEqual({
      endpoint: `${streaming.url}/v1/assist`,
      capabilities: [{ ...told, type: 'streaming' }],
    })
    const asked = await assist(streaming, fresh(), { accept: 'application/json' })
    expect(asked.headers['content-type']).toBe('application/json')
  })

  test('Accept beats the mode of the capability [transport-mode-2] TR-02', async () => {
    expect((await assist(backend, fresh(), STREAM)).headers['content-type']).toMatch(/^text\/event-stream/)
    expect((await assist(backend, fresh(), { accept: '*/*' })).headers['content-type']).toBe(
      'application/json',
    )
  })

  test('it begins with started, ends with completed, and the chunks between are its summary [transport-stream-5] TR-03 TR-07', async () => {
    const { text } = await assist(backend, echoing({ text: 'Hello ', repeat: 3 }), STREAM)
    const events = cloudEventsIn(text)
    expect(events.map(({ type }) => type)).toEqual([
      'ai.coreason.node.started',
      'ai.coreason.node.stream',
      'ai.coreason.node.stream',
      'ai.coreason.node.stream',
      'ai.coreason.node.completed',
    ])
    expect(events.slice(1, -1).map(({ data }) => data.chunk)).toEqual(['Hello ', 'Hello ', 'Hello '])
    expect(events.at(-1).data).toMatchObject({ output_summary: 'Hello Hello Hello ', status: 'SUCCESS' })
  })

  test('every event is a CloudEvent that a strict reader takes, named and numbered alike inside and outside [transport-stream-1] [transport-stream-2] TR-04', async () => {
    const asked = { ...echoing({ text: 'x', repeat: 20 }), root_request_id: ROOT, parent_request_id: ID }
    const { events } = eventsIn((await assist(backend, asked, STREAM)).text)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    for (const { event, id, data } of events) {
      const read = new CloudEvent(JSON.parse(data))
      expect(read.validate()).toBe(true)
      expect(read).toMatchObject({ type: event, id, specversion: '1.0', rootrequestid: ROOT })
      expect(read.source).toMatch(/^urn:node:./)
      expect(read.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
    }
  })

  test('datacontenttype tells chunks, artifacts and the rest apart [transport-stream-4] TR-06 TR-18', async () => {
    await using painting = await daemon({
      agent: telling([
        { type: 'text', delta: 'Here it is' },
        {
          type: 'artifact',
          artifact_id: 'a1',
          name: 'Report',
          mime_type: 'application/pdf',
          url: 'https://example.com/r.pdf',
        },
        { type: 'citation', uri: 'https://example.com', text: 'quoted' },
        { type: 'tool_call', call_id: 'c1', name: 'look' },
      ]),
    })
    const events = cloudEventsIn((await assist(painting, AGENT_REQUEST, STREAM)).text)
    for (const event of events) expect(new CloudEvent(event).validate()).toBe(true)
    expect(events.map(({ type, datacontenttype }) => [type, datacontenttype])).toEqual([
      ['ai.coreason.node.started', 'application/json'],
      ['ai.coreason.node.stream', 'application/vnd.coreason.stream+json'],
      ['ai.coreason.legacy.artifact_generated', 'application/vnd.coreason.artifact+json'],
      ['dev.cacp.run.citation', 'application/json'],
      ['dev.cacp.run.tool_call', 'application/json'],
      ['ai.coreason.node.completed', 'application/json'],
    ])
    expect(events[2].data).toMatchObject({ artifact_type: 'PDF', url: 'https://example.com/r.pdf' })
  })

  test('odd text stays one line of data each, and comes out as it was [transport-stream-3]', async () => {
    const { text } = await assist(backend, echoing({ text: ODD_TEXT }), STREAM)
    // Some readers break lines at more characters than the document of event streams names.
    for (const line of text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/))
      expect(line).toMatch(/^(?:event: |id: |data: \{.*\}$|$)/)
    const [, chunk, end] = cloudEventsIn(text)
    expect(chunk.data.chunk).toBe(ODD_TEXT)
    expect(end.data.output_summary).toBe(ODD_TEXT)
  })

  test('silence is filled with comments, which no parser takes for an event TR-21', async () => {
    const { text } = await assist(backend, echoing({ text: 'x', repeat: 2, delay_ms: 2500 }), STREAM)
    const { events, comments } = eventsIn(text)
    expect(comments.length).toBeGreaterThan(0)
    expect(events.map(({ event }) => event)).toEqual([
      'ai.coreason.node.started',
      'ai.coreason.node.stream',
      'dev.cacp.run.step',
      'ai.coreason.node.stream',
      'dev.cacp.run.step',
      'ai.coreason.node.completed',
    ])
  })

  test('two at once do not mix, and both complete TR-24', async () => {
    const streams = await Promise.all(
      ['a', 'b'].map((word) => assist(backend, echoing({ text: word, repeat: 500 }), STREAM)),
    )
    const [first = [], second = []] = streams.map(({ text }) => cloudEventsIn(text))
    expect(first.at(-1).data.output_summary).toBe('a'.repeat(500))
    expect(second.at(-1).data.output_summary).toBe('b'.repeat(500))
    expect(new Set(first.map(({ requestid }) => requestid)).size).toBe(1)
    expect(first[0].requestid).not.toBe(second[0].requestid)
  })
})

describe('coming back', () => {
  test('Last-Event-ID brings exactly the rest, with the same ids, and runs nothing again [transport-replay-1]', async () => {
    const asked = { ...echoing({ text: 'x', repeat: 10 }), request_id: ID }
    const whole = eventsIn((await assist(backend, asked, STREAM)).text).events
    const after = await assist(backend, asked, { ...STREAM, 'last-event-id': String(whole[3]?.id) })
    expect(eventsIn(after.text).events).toEqual(whole.slice(4))
    const runs = backend.runs.list({}, OPERATOR).filter(({ request }) => request.request_id === ID)
    expect(runs).toMatchObject([{ attempt: 1 }])
  })

  test.each([
    ['transport', () => ({ ...echoing({ text: 'x', repeat: 3 }), request_id: randomUUID() })],
    ['CAP', () => capEchoing('x', { parameters: { repeat: 3 } })],
  ])(
    'after the last event of a %s stream there is nothing, at which an event source stops',
    async (_, ask) => {
      const asked = ask()
      const { events } = eventsIn((await assist(backend, asked, STREAM)).text)
      const comeBack = (id: string | undefined) =>
        assist(backend, asked, { ...STREAM, 'last-event-id': String(id) })
      expect(await comeBack(events.at(-1)?.id)).toMatchObject({ status: 204, text: '' })
      expect(eventsIn((await comeBack(events.at(-2)?.id)).text).events).toEqual(events.slice(-1))
      // Whoever has heard nothing yet is told all of it.
      expect(eventsIn((await assist(backend, asked, STREAM)).text).events).toEqual(events)
    },
  )

  test.each([
    ['of another run', '01a1e329-da06-7588-8227-278b69d41639:3'],
    ['of no run', 'evt-001'],
  ])('an id %s is refused, and nothing runs [transport-replay-1]', async (_, id) => {
    const request_id = randomUUID()
    const asked = await assist(backend, fresh({ request_id }), { ...STREAM, 'last-event-id': id })
    expect(asked.status).toBe(400)
    expect(asked.json.details.field).toBe('Last-Event-ID')
    expect(backend.runs.find('coreason', request_id, OPERATOR)).toBeUndefined()
  })

  test('the same request again is the same run, another one under its id is refused', async () => {
    const asked = fresh()
    const [first, second] = [await assist(backend, asked), await assist(backend, asked)]
    expect(second.headers['x-run-id']).toBe(first.headers['x-run-id'])
    const other = await assist(backend, { ...asked, payload: { query: 'Something else' } })
    expect(other.status).toBe(409)
    expect(other.json).toMatchObject({ kind: 'idempotency_conflict', details: { field: 'request_id' } })
  })

  test('a daemon that stops says so as the last event; its next life tells the same to whoever wants the rest, and tries again for whoever asks anew [transport-replay-1] [transport-error-1]', async () => {
    await using mortal = await daemon()
    const asked = { ...echoing({ text: 'x', repeat: 8, delay_ms: 300 }), request_id: ID }
    const streamed = assist(mortal, asked, STREAM)
    const run = () => mortal.runs.find('coreason', ID, OPERATOR)
    await vi.waitFor(() => expect(run()?.last_sequence).toBeGreaterThan(2))
    await mortal.restart()
    const before = cloudEventsIn((await streamed).text)
    expect(before.at(-1).data).toMatchObject({ kind: 'interrupted', code: 503, retryable: true })
    const rest = await assist(mortal, asked, { ...STREAM, 'last-event-id': before.at(-2).id })
    expect(cloudEventsIn(rest.text)).toEqual(before.slice(-1))
    const again = cloudEventsIn((await assist(mortal, asked, STREAM)).text)
    expect(again.at(-1)).toMatchObject({ data: { output_summary: 'x'.repeat(8) } })
    const { runs } = await mortal.rpc('cacp/run/list', {})
    expect(runs).toMatchObject([{ request_id: ID, attempt: 2, status: 'completed' }])
    const known = await assist(mortal, asked, { ...STREAM, 'last-event-id': before.at(-1).id })
    expect(cloudEventsIn(known.text)).toEqual(again)
  })

  test('a run that nobody reads any more is canceled', async () => {
    const request_id = randomUUID()
    const leaving = new AbortController()
    const reply = await fetch(`${backend.url}/v1/assist`, {
      method: 'POST',
      headers: { authorization: `Bearer ${backend.key}`, 'content-type': 'application/json', ...STREAM },
      body: JSON.stringify({ ...echoing({ text: 'x', repeat: 1000, delay_ms: 1000 }), request_id }),
      signal: leaving.signal,
    })
    expect(reply.status).toBe(200)
    leaving.abort()
    const status = () => backend.runs.find('coreason', request_id, OPERATOR)?.status
    await vi.waitFor(() => expect(status()).toBe('canceled'), 10_000)
  })
})

describe('lineage', () => {
  const lineageOf = async (part: object) => {
    const { status, headers } = await assist(backend, { ...AGENT_REQUEST, ...part })
    return [status, headers['x-request-id'], headers['x-root-request-id'], headers['x-parent-request-id']]
  }

  test('a request without id gets one, and is its own root [transport-lineage-1] TR-10', async () => {
    const [status, id, root] = await lineageOf({ request_id: undefined })
    expect(status).toBe(200)
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(root).toBe(id)
  })

  test('a root without a parent is kept [transport-lineage-1] TR-12', async () => {
    expect(await lineageOf({ request_id: ID.toUpperCase(), root_request_id: `urn:uuid:${ROOT}` })).toEqual([
      409,
      undefined,
      undefined,
      undefined,
    ])
    const request_id = randomUUID()
    expect(await lineageOf({ request_id, root_request_id: ROOT })).toEqual([200, request_id, ROOT, undefined])
    const other = randomUUID()
    expect(await lineageOf({ request_id: other, root_request_id: ROOT, parent_request_id: ID })).toEqual([
      200,
      other,
      ROOT,
      ID,
    ])
  })

  test('a parent without a root is refused, and so is one that is its own parent [transport-lineage-1]', async () => {
    const { status, json } = await assist(backend, fresh({ parent_request_id: ID }))
    expect(status).toBe(400)
    expect(json.details.field).toBe('root_request_id')
    const own = await assist(backend, fresh({ request_id: ID, root_request_id: ROOT, parent_request_id: ID }))
    expect(own.status).toBe(400)
    expect(own.json.details.field).toBe('parent_request_id')
  })
})

describe('bad input', () => {
  test.each([
    ['session_id', { session_id: undefined }],
    ['session_id', { session_id: 'sess_abc' }],
    ['session_id', { session_id: 5 }],
    ['payload', { payload: undefined }],
    ['payload', { payload: 'x' }],
    ['payload.query', { payload: { query: 5 } }],
    ['request_id', { request_id: 'not-a-uuid' }],
    ['metadata', { metadata: 'x' }],
    ['metadata.capability', { metadata: { capability: 'fly' } }],
    ['timestamp', { timestamp: 'yesterday' }],
  ])(
    'a wrong %s is 400 and named: %j [transport-request-2] [transport-error-1] TR-09',
    async (field, part) => {
      for (const headers of [{}, STREAM]) {
        const { status, json } = await assist(backend, { ...AGENT_REQUEST, ...part }, headers)
        expect(status).toBe(400)
        expect(json).toEqual({
          error_message: expect.stringContaining(field),
          status: 'ERROR',
          code: 400,
          domain: 'LOGIC',
          retryable: false,
          kind: 'invalid_params',
          details: expect.objectContaining({ field }),
        })
      }
    },
  )

  test('unknown keys are ignored [transport-request-2] TR-13', async () => {
    const { status } = await assist(backend, fresh({ is_admin: true, timestamp: '2026-01-19T04:21:04Z' }))
    expect(status).toBe(200)
  })

  test.each([
    ['malformed JSON', '{"session_id":', 400, 'parse_error'],
    ['a list', '[]', 400, 'invalid_params'],
    ['text', '"hi"', 400, 'invalid_params'],
    ['null', 'null', 400, 'invalid_params'],
    [
      'too much',
      JSON.stringify({ ...AGENT_REQUEST, payload: { query: 'x'.repeat(1_100_000) } }),
      413,
      'body_too_large',
    ],
  ])('%s is refused as JSON [transport-error-1] TR-14', async (_, body, expected, kind) => {
    const { status, json } = await assist(backend, body)
    expect(status).toBe(expected)
    expect(json).toMatchObject({ status: 'ERROR', code: expected, kind })
  })

  test('GET is 405 and says what is allowed [transport-endpoint-1] TR-14', async () => {
    const { status, headers } = await backend.fetch('/v1/assist')
    expect(status).toBe(405)
    expect(headers['allow']).toBe('POST')
  })

  test('another content type is 415 [transport-request-1] TR-15', async () => {
    const { status, json } = await assist(backend, AGENT_REQUEST, { 'content-type': 'text/plain' })
    expect(status).toBe(415)
    expect(json).toMatchObject({ status: 'ERROR', kind: 'unsupported_media_type' })
  })

  test('no key and a wrong key are 401, in the words of the document', async () => {
    for (const authorization of ['', 'Bearer wrong']) {
      const { status, json } = await assist(backend, AGENT_REQUEST, { authorization })
      expect(status).toBe(401)
      expect(json).toMatchObject({ status: 'ERROR', domain: 'SECURITY', kind: 'unauthorized' })
    }
  })
})

describe('failures', () => {
  test('what cannot start is a status, also for a reader that wants a stream [transport-error-1] TR-17', async () => {
    await using busy = await daemon({ runsAtOnce: 1, runUnwatchedSeconds: 1 })
    const first = assist(busy, echoing({ text: 'x', repeat: 2, delay_ms: 1500 }), STREAM)
    await vi.waitFor(() => expect(busy.runs.list({}, OPERATOR)).toHaveLength(1))
    const { status, json } = await assist(busy, fresh(), STREAM)
    expect(status).toBe(429)
    expect(json).toMatchObject({
      status: 'ERROR',
      code: 429,
      domain: 'SYSTEM',
      retryable: true,
      kind: 'busy',
    })
    expect(cloudEventsIn((await first).text).at(-1).type).toBe('ai.coreason.node.completed')
  })

  test('what fails at work is the last event of a stream, and a status for whoever waits, without the inside [transport-error-1] [transport-error-2] TR-17', async () => {
    await using failing = await daemon({ agent: telling([{ type: 'text', delta: 'so far' }], 3) })
    const events = cloudEventsIn((await assist(failing, AGENT_REQUEST, STREAM)).text)
    expect(events.map(({ type }) => type)).toEqual([
      'ai.coreason.node.started',
      'ai.coreason.node.stream',
      'ai.coreason.legacy.error',
    ])
    const error = events.at(-1)
    expect(new CloudEvent(error).validate()).toBe(true)
    expect(error.datacontenttype).toBe('application/vnd.coreason.error+json')
    expect(error.data).toMatchObject({ status: 'ERROR', code: 500, domain: 'TOOL', retryable: false })
    expect(JSON.stringify(error.data)).not.toMatch(/stack_trace|input_snapshot|Hello world|\/tmp|node:/)
    const { status, json } = await assist(failing, AGENT_REQUEST)
    expect(status).toBe(500)
    expect(json).toMatchObject({ error_message: error.data.error_message, kind: 'agent_failed' })
  })
})

test('a body with context is answered in the other protocol, under the same request_id TR-19', async () => {
  const { status, json } = await assist(backend, {
    request_id: ID,
    context: { session_id: 's', user: { id: 'u', name: 'Alice' } },
    payload: { query: 'Hello' },
  })
  expect(status).toBe(200)
  expect(json).toMatchObject({ request_id: ID, output: { text: expect.any(String) } })
})
