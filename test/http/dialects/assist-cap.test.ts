import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HealthCheckResponse } from '../../../src/dialects/cap/health.ts'
import { ServiceResponse } from '../../../src/dialects/cap/service-response.ts'
import { StreamPacket } from '../../../src/dialects/cap/stream-packet.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import {
  assist,
  capEchoing,
  packetsIn,
  SERVICE_REQUEST,
  STREAM,
  telling,
} from '../../support/dialects/assist.ts'
import { PresentationEvent } from '../../support/dialects/presentation-event.ts'
import { ODD_TEXT } from '../../support/dialects/run-events.ts'
import { OPERATOR } from '../../support/runs/test-runs.ts'

const { context, payload } = SERVICE_REQUEST

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'User Auth',
    objective: 'Log in from the app',
  })
  await backend.rpc('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { method: 'GET', path: '/users/me' },
  })
})
afterAll(() => backend[Symbol.asyncDispose]())

const fresh = (part: object = {}) => ({ ...SERVICE_REQUEST, request_id: randomUUID(), ...part })
const inPayload = (part: object) => fresh({ payload: { ...payload, ...part } })
const runOf = (request_id: string) => backend.runs.find('cap', request_id, OPERATOR)

describe('a ServiceResponse', () => {
  test("answers the document's request by its id, in UTC, with output and metrics [cap-request-1] [cap-response-1] [cap-response-2] CAP-01", async () => {
    const { status, json } = await assist(backend, SERVICE_REQUEST)
    expect(status).toBe(200)
    expect(ServiceResponse.parse(json)).toEqual(json)
    expect(Object.keys(json)).toEqual(['request_id', 'created_at', 'output', 'metrics'])
    expect(json.request_id).toBe(SERVICE_REQUEST.request_id)
    expect(json.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(json.output.text).toContain('User Auth')
    expect(json.output.citations[0]).toMatchObject({ uri: expect.stringMatching(/^cacp:/) })
    expect(json.metrics).toEqual({ duration_ms: expect.any(Number) })
  })

  test('tells what the agent measured [cap-response-2]', async () => {
    await using counting = await daemon({
      agent: telling([
        { type: 'text', delta: 'The project is on track.' },
        { type: 'usage', usage: { input_tokens: 100, output_tokens: 20 } },
      ]),
    })
    const { json } = await assist(counting, SERVICE_REQUEST)
    expect(json.output).toEqual({ text: 'The project is on track.' })
    expect(json.metrics).toMatchObject({ tokens: 120, input_tokens: 100, duration_ms: expect.any(Number) })
  })

  test('writes a UUID with dashes in lower case, however it came [cap-request-1]', async () => {
    const request_id = randomUUID()
    const bare = `{${request_id.replaceAll('-', '').toUpperCase()}}`
    expect((await assist(backend, fresh({ request_id: bare }))).json.request_id).toBe(request_id)
  })
})

describe('what is wrong', () => {
  test.each<[field: string, conformance: string, body: object]>([
    ['request_id', 'CAP-02', { ...SERVICE_REQUEST, request_id: undefined }],
    ['request_id', 'CAP-02', { ...SERVICE_REQUEST, request_id: 'not-a-uuid' }],
    ['context', 'CAP-04', fresh({ context: null })],
    ['context.user', 'CAP-04', fresh({ context: { session_id: 's' } })],
    ['context.user.name', 'CAP-04', fresh({ context: { ...context, user: { id: 'u' } } })],
    ['context.session_id', 'CAP-05', fresh({ context: { ...context, session_id: 5 } })],
    ['payload', 'CAP-05', fresh({ payload: undefined })],
    ['payload.query', 'CAP-05', fresh({ payload: {} })],
    ['payload.files', 'CAP-06', inPayload({ files: null })],
    ['payload.files.0', 'CAP-06', inPayload({ files: [1] })],
    ['payload.meta', 'CAP-07', inPayload({ meta: null })],
    ['payload.root_request_id', 'CAP-10', inPayload({ parent_request_id: randomUUID() })],
    ['payload.meta.capability', 'CAP-07', inPayload({ meta: { capability: 'fly' } })],
  ])(
    'a wrong %s (%s) is told as a user_error with 400, and nothing runs [cap-request-2] [cap-request-3] [cap-request-5] [cap-usererror-1]',
    async (field, _, body) => {
      const before = backend.runs.list({}, OPERATOR).length
      for (const headers of [{}, STREAM]) {
        const { status, json } = await assist(backend, body, headers)
        expect(status).toBe(400)
        expect(PresentationEvent.parse(json)).toMatchObject({
          type: 'user_error',
          code: 400,
          domain: 'client',
          retryable: false,
          message: expect.stringContaining(field),
          details: { field },
        })
      }
      expect(backend.runs.list({}, OPERATOR)).toHaveLength(before)
    },
  )

  test.each([
    ['a user without role', fresh({ context: { ...context, user: { id: 'u', name: 'Alice' } } })],
    ['an agent', fresh({ context: { ...context, agent: { id: 'a', name: 'Code' } } })],
    ['an empty query', inPayload({ query: '' })],
    ['neither files nor meta', fresh({ payload: { query: 'hi' } })],
    ['null where there need be nothing', inPayload({ conversation_id: null, session_id: null })],
  ])('%s is accepted [cap-request-2] [cap-request-3] CAP-04 CAP-05 CAP-06', async (_, body) => {
    expect((await assist(backend, body)).status).toBe(200)
  })

  test('what the format has no word for appears nowhere [cap-request-3] CAP-08', async () => {
    const smuggled = { is_admin: 'smuggled' }
    const body = fresh({
      ...smuggled,
      context: { ...context, ...smuggled },
      payload: { ...payload, ...smuggled },
    })
    const { status, text } = await assist(backend, body)
    expect(status).toBe(200)
    expect(text).not.toContain('smuggled')
    expect(JSON.stringify(runOf(body.request_id))).not.toContain('smuggled')
  })
})

describe('what is handed on', () => {
  test('meta, also its nulls, and files as they are named [cap-request-3] [cap-request-4] CAP-06 CAP-07', async () => {
    const files = ['https://example.invalid/secret.txt', 'file:///etc/passwd']
    const body = inPayload({ meta: { timezone: 'UTC', a: null }, files })
    const { status, text } = await assist(backend, body)
    expect(status).toBe(200)
    expect(text).not.toContain('root:')
    expect(runOf(body.request_id)?.request).toMatchObject({
      parameters: { timezone: 'UTC', a: null, query: payload.query },
      files,
    })
  })

  test('files are never fetched [cap-request-4]', async () => {
    const { createServer } = await import('node:http')
    let asked = 0
    const server = createServer((_request, response) => {
      asked++
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const { status } = await assist(backend, inPayload({ files: [`http://127.0.0.1:${port}/x`] }))
    expect(status).toBe(200)
    await new Promise((resolve) => server.close(resolve))
    expect(asked).toBe(0)
  })

  test('the lineage: a payload without a root is its own, one with a root keeps it [cap-request-5] CAP-10', async () => {
    const [own, root] = [randomUUID(), randomUUID()]
    const first = await assist(backend, inPayload({ request_id: own }))
    expect(first.headers['x-root-request-id']).toBe(own)
    const second = await assist(backend, inPayload({ root_request_id: root, parent_request_id: own }))
    expect(second.headers).toMatchObject({ 'x-root-request-id': root, 'x-parent-request-id': own })
  })

  test('the same request again is the same run, though its payload has no id', async () => {
    const body = fresh()
    const [first, second] = [await assist(backend, body), await assist(backend, body)]
    expect(second.json).toEqual(first.json)
    expect(second.headers['x-run-id']).toBe(first.headers['x-run-id'])
  })
})

describe('a stream of packets', () => {
  test('has deltas, citations and artifacts, and one close at the end [cap-packet-1] [cap-packet-2] [cap-packet-3] [cap-citation-1] [cap-artifact-1] CAP-11 CAP-14 CAP-17 CAP-20', async () => {
    const body = inPayload({ query: 'What does Get User Profile say?' })
    const { headers, text } = await assist(backend, body, STREAM)
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    for (const line of text.split('\n')) expect(line).toMatch(/^(?:id: [-0-9a-f]+:\d+|data: \{.*\})?$/)
    const packets = packetsIn(text)
    for (const packet of packets) {
      expect(StreamPacket.parse(packet)).toEqual(packet)
      expect(Object.keys(packet)).toEqual(['op', 'p'])
    }
    expect(packets.filter(({ op }) => op === 'close')).toEqual([{ op: 'close', p: null }])
    expect(packets.at(-1)).toEqual({ op: 'close', p: null })
    const shown = packets.flatMap((packet) => (packet.op === 'event' ? [packet.p] : []))
    const [citation] = shown.filter(({ type }) => type === 'citation')
    const [artifact] = shown.filter(({ type }) => type === 'artifact')
    expect(PresentationEvent.parse(citation)).toMatchObject({
      uri: expect.stringMatching(/^cacp:contract\//),
      indices: [expect.any(Number), expect.any(Number)],
    })
    expect(PresentationEvent.parse(artifact)).toMatchObject({
      artifact_id: expect.any(String),
      mime_type: 'application/json',
      content: { name: 'Get User Profile', content: { path: '/users/me' } },
    })
  })

  test('odd text comes out as it was [cap-packet-2]', async () => {
    const { text } = await assist(backend, capEchoing(ODD_TEXT, { repeat: 2 }), STREAM)
    expect(packetsIn(text)).toEqual([
      { op: 'delta', p: ODD_TEXT },
      { op: 'delta', p: ODD_TEXT },
      { op: 'close', p: null },
    ])
  })

  test('what the user did wrong is a user_error, then it closes [cap-usererror-1] [cap-packet-3] CAP-17 CAP-22', async () => {
    const contractId = randomUUID()
    const body = inPayload({ meta: { capability: 'check_contract', contractId, payload: {} } })
    const { text } = await assist(backend, body, STREAM)
    expect(packetsIn(text)).toEqual([
      {
        op: 'event',
        p: expect.objectContaining({
          type: 'user_error',
          code: 404,
          domain: 'client',
          retryable: false,
          message: expect.stringContaining(contractId),
        }),
      },
      { op: 'close', p: null },
    ])
    const { status, json } = await assist(backend, body)
    expect(status).toBe(404)
    expect(json).toMatchObject({ type: 'user_error', kind: 'not_found' })
  })

  test('what the agent did wrong is an error packet, then it closes [cap-error-1] [cap-packet-3] CAP-13 CAP-17', async () => {
    await using failing = await daemon({ agent: telling([{ type: 'text', delta: 'so far' }], 3) })
    const packets = packetsIn((await assist(failing, SERVICE_REQUEST, STREAM)).text)
    expect(packets).toEqual([
      { op: 'delta', p: 'so far' },
      { op: 'error', p: { code: 'agent_failed', message: expect.any(String), severity: 'fatal' } },
      { op: 'close', p: null },
    ])
    expect((await assist(failing, SERVICE_REQUEST)).status).toBe(500)
  })

  test('a run that is canceled from elsewhere ends as an error, then it closes [cap-packet-3]', async () => {
    const body = capEchoing('x', { repeat: 100, delay_ms: 1000 })
    const streamed = assist(backend, body, STREAM)
    await vi.waitFor(() => expect(runOf(body.request_id)).toBeDefined())
    await backend.runs.cancel(String(runOf(body.request_id)?.run_id), OPERATOR)
    expect(packetsIn((await streamed).text).slice(-2)).toMatchObject([
      { op: 'error', p: { code: 'canceled', severity: 'fatal' } },
      { op: 'close', p: null },
    ])
  })
})

describe('what was said before', () => {
  test('is found by conversation_id, as ChatMessages [cap-chat-1] [cap-chat-2] CAP-23', async () => {
    const conversation_id = 'conv of two'
    const ask = (query: string) => assist(backend, inPayload({ query, conversation_id }))
    const answers = [(await ask('First?')).json, (await ask('Second?')).json]
    const { status, json } = await backend.fetch(`/v1/conversations/${encodeURIComponent(conversation_id)}`)
    expect(status).toBe(200)
    const timestamp = expect.stringMatching(/Z$/)
    expect(json).toEqual({
      conversation_id,
      messages: [
        { role: 'user', content: 'First?', name: 'Alice', timestamp },
        { role: 'assistant', content: answers[0].output.text, timestamp },
        { role: 'user', content: 'Second?', name: 'Alice', timestamp },
        { role: 'assistant', content: answers[1].output.text, timestamp },
      ],
    })
  })

  test('is told to the agent [cap-chat-2]', async () => {
    const script = `
      const { readFileSync } = await import('node:fs')
      const { history } = JSON.parse(readFileSync(process.env.CACP_REQUEST_FILE, 'utf8'))
      process.stdout.write('turns before: ' + history.length)
    `
    const { AgentSettings } = await import('../../../src/protocol/agent/settings.ts')
    const { node } = await import('../../support/daemons/scripts.ts')
    await using remembering = await daemon({ agent: AgentSettings.parse({ command: node(script) }) })
    const ask = async () => (await assist(remembering, fresh())).json.output.text
    expect([await ask(), await ask()]).toEqual(['turns before: 0', 'turns before: 1'])
  })

  test('an unknown conversation is 404, and one without key is 401 [cap-usererror-1]', async () => {
    const unknown = await backend.fetch('/v1/conversations/nobody')
    expect(unknown.status).toBe(404)
    expect(unknown.json).toMatchObject({ type: 'user_error', code: 404, domain: 'client' })
    const nobody = await backend.fetch('/v1/conversations/conv_123', { headers: { authorization: '' } })
    expect(nobody.status).toBe(401)
    expect(nobody.json).toMatchObject({ type: 'user_error', domain: 'security' })
  })
})

test('the health has exactly four keys, a stable agent id, and an uptime that grows [cap-health-1] CAP-19', async () => {
  const health = async () => {
    const { status, json } = await backend.fetch('/v1/health', { headers: { authorization: '' } })
    expect(status).toBe(200)
    expect(HealthCheckResponse.strict().parse(json)).toEqual(json)
    return json
  }
  const first = await health()
  expect(first.status).toBe('ok')
  await vi.waitFor(async () => {
    const later = await health()
    expect(later.agent_id).toBe(first.agent_id)
    expect(later.uptime_seconds).toBeGreaterThan(first.uptime_seconds)
  })
})
