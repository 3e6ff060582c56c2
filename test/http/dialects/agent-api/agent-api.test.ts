import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { daemon, type Reply, type TestDaemon } from '../../../support/daemons/daemon.ts'
import { node } from '../../../support/daemons/scripts.ts'
import { PLAYER, question } from '../../../support/dialects/adapter.ts'
import { pythonClient, webClient } from '../../../support/dialects/agent-api-clients.ts'
import { OPERATOR } from '../../../support/runs/test-runs.ts'

/** The document's own example. */
const EXAMPLE = {
  input: [{ role: 'user', content: [{ type: 'text', text: 'Describe this image' }], type: 'message' }],
  stream: true,
  model: 'gpt-4-vision',
}
const ask = (text: string, more: object = {}) => ({
  input: [{ role: 'user', content: [{ type: 'text', text }] }],
  ...more,
})
const echo = (text: string, more: object = {}) => ask(text, { biz_params: { work_type: 'echo', ...more } })

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

function process(
  backend: Pick<TestDaemon, 'fetch'>,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return backend.fetch('/process', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: events of every shape
type Event = any

const eventsIn = (text: string): Event[] => pythonClient(text)
const events = async (...args: Parameters<typeof process>): Promise<Event[]> =>
  eventsIn((await process(...args)).text)

/** An agent that tells these run events. */
const telling = (...told: readonly object[]) => ({
  ...PLAYER,
  command: node(`for (const told of ${JSON.stringify(told)}) console.log(JSON.stringify(told))`),
})

describe('a stream', () => {
  test('goes from created to completed (AS-01) [agentapi-status-1] [agentapi-stream-3] [agentapi-response-1]', async () => {
    await using backend = await daemon()
    const before = Math.floor(Date.now() / 1000)
    const { status, headers, text } = await process(backend, EXAMPLE)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/event-stream/)
    const told = eventsIn(text)
    expect(told[0]).toMatchObject({ object: 'response', status: 'created' })
    expect(told[1]).toMatchObject({ object: 'response', status: 'in_progress' })
    const last = told.at(-1)
    expect(last).toMatchObject({ object: 'response', status: 'completed', error: null })
    expect(last.id).toMatch(new RegExp(`^response_${UUID}$`))
    expect(last.output[0].content.length, 'AS-07').toBeGreaterThan(0)
    expect(last.created_at, 'AS-07 [agentapi-response-2]').toBeGreaterThanOrEqual(before)
    expect(last.created_at).toBeLessThanOrEqual(before + 2)
    expect(last.completed_at).toBeGreaterThanOrEqual(last.created_at)
    expect([last.created_at, last.completed_at].every(Number.isInteger)).toBe(true)
  })

  test('has nothing but lines of data in it, each an event, as both clients need it [agentapi-frame-1]', async () => {
    await using backend = await daemon()
    const { text } = await process(backend, echo('one\r\ntwo\u2028three', { repeat: 3 }))
    expect(text).toMatch(/^(?:data: \{[^\r\n]*\}\n\n)+$/)
    expect(pythonClient(text)).toHaveLength(text.split('\n\n').length - 1)
  })

  test('numbers its events, announces what it speaks of, and says all of it again (AS-03, AS-04, AS-06) [agentapi-order-1] [agentapi-stream-1] [agentapi-stream-2] [agentapi-message-1]', async () => {
    await using backend = await daemon()
    const told = await events(backend, echo('ab', { repeat: 3 }))
    expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, index) => index))
    const announced = new Set<string>()
    for (const event of told) {
      if (event.object === 'message') announced.add(event.id)
      if (event.object === 'content') expect(announced).toContain(event.msg_id)
    }
    const { output } = told.at(-1)
    expect([...announced]).toEqual(output.map(({ id }: Event) => id))
    for (const id of announced) expect(id).toMatch(new RegExp(`^msg_${UUID}$`))
    const contents = told.filter(({ object }) => object === 'content')
    expect(contents.map(({ status, delta, index, text }) => [status, delta, index, text])).toEqual([
      ...Array.from({ length: 3 }, () => ['in_progress', true, 0, 'ab']),
      ['completed', false, 0, 'ababab'],
    ])
    expect(told.at(-2)).toMatchObject({ object: 'message', content: [{ text: 'ababab' }] })
  })

  test('goes by the id of its request, or else by a new one (AS-09)', async () => {
    await using backend = await daemon()
    expect((await events(backend, { ...echo('a'), id: 'r1' })).at(-1).id).toBe('r1')
  })

  test('keeps what was said before a failure, and says nothing after it (AS-16)', async () => {
    await using backend = await daemon({ agent: PLAYER })
    const { text } = await process(backend, ask(question({ say: ['one', 'two'], ending: 'failure' })))
    const last = eventsIn(text).at(-1)
    expect(last).toMatchObject({
      status: 'failed',
      error: { code: 'AGENT_EXECUTION_FAILED', message: expect.any(String) },
      output: [{ content: [{ text: 'onetwo' }] }],
    })
    expect(text).not.toContain('secret')
    expect(webClient(text)).toMatchObject({ isSpinning: false, error: { code: 'AGENT_EXECUTION_FAILED' } })
  })

  test('ends also when it is canceled from elsewhere, and both clients see it (AS-24)', async () => {
    await using backend = await daemon()
    const asked = process(backend, echo('a', { repeat: 1000, delay_ms: 20 }))
    await expect.poll(() => backend.runs.list({ status: 'in_progress' }, OPERATOR)).toHaveLength(1)
    const [run] = backend.runs.list({}, OPERATOR)
    await backend.rpc('cacp/run/cancel', { runId: run?.run_id })
    const { text, headers } = await asked
    expect(headers['x-run-id']).toBe(run?.run_id)
    expect(pythonClient(text).at(-1)).toMatchObject({ status: 'failed', error: { code: 'CANCELED' } })
    expect(webClient(text).isSpinning).toBe(false)
  })

  test('is only interrupted by heartbeats while the agent thinks, and both clients get to the end (AS-20)', async () => {
    const slow = node(`setTimeout(() => console.log('{"type":"text","delta":"at last"}'), 2500)`)
    await using backend = await daemon({ agent: { ...PLAYER, command: slow }, runHeartbeatSeconds: 1 })
    const { text } = await process(backend, ask('think'))
    const heartbeats = pythonClient(text).filter(({ type }) => type === 'heartbeat')
    expect(heartbeats.length).toBeGreaterThan(0)
    const shown = webClient(text)
    expect(shown.isSpinning).toBe(false)
    expect(shown.messages).toMatchObject([{ content: [{ text: 'at last' }] }])
  })
})

describe('both clients', () => {
  test('show the same answer: reasoning, a tool, text, an image, nothing at all', async () => {
    const told = [
      { type: 'reasoning', delta: 'hm' },
      { type: 'text', delta: 'wait' },
      { type: 'tool_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'tool_output', call_id: 'c1', output: '42' },
      { type: 'text', delta: 'It is ' },
      { type: 'text', delta: '42\n' },
      { type: 'content', part: { type: 'image', image_url: 'https://x/a.png' } },
      { type: 'usage', usage: { output_tokens: 9 } },
    ]
    await using backend = await daemon({ agent: telling(...told) })
    const { text } = await process(backend, ask('what is it?'))
    const shown = webClient(text)
    expect(shown.isSpinning).toBe(false)
    const last = pythonClient(text).at(-1)
    expect(last.output).toEqual(shown.messages)
    expect(last.usage).toMatchObject({ output_tokens: 9 })
    expect(last.output.map(({ type, role }: Event) => [type, role])).toEqual([
      ['reasoning', 'assistant'],
      ['message', 'assistant'],
      ['plugin_call', 'assistant'],
      ['plugin_call_output', 'tool'],
      ['message', 'assistant'],
    ])
  })

  test('show an agent that says nothing as done', async () => {
    await using backend = await daemon({ agent: telling() })
    const { text } = await process(backend, ask('psst'))
    expect(webClient(text).isSpinning).toBe(false)
    expect(pythonClient(text).at(-1)).toMatchObject({ status: 'completed' })
  })
})

describe('a session', () => {
  test('is named on every response event and goes on in the next request (AS-08) [agentapi-session-1] [agentapi-response-3]', async () => {
    const history = `
      const { readFileSync } = await import('node:fs')
      const { history } = JSON.parse(readFileSync(process.env.CACP_REQUEST_FILE, 'utf8'))
      const heard = history.map(({ messages, text }) => messages[0].content[0].text + '>' + text).join()
      console.log(JSON.stringify({ type: 'text', delta: '[' + heard + ']' }))`
    await using backend = await daemon({ agent: { ...PLAYER, command: node(history) } })
    const first = await events(backend, ask('one'))
    const { session_id } = first[0]
    expect(session_id).toMatch(new RegExp(`^${UUID}$`))
    const responses = first.filter(({ object }) => object === 'response')
    expect(new Set(responses.map((event) => event.session_id)).size).toBe(1)
    const second = await events(backend, ask('two', { session_id }))
    expect(second.at(-1)).toMatchObject({ session_id, output: [{ content: [{ text: '[one>[]]' }] }] })
  })

  test('that is at work refuses a second request with 409, and the first one is not touched (AS-22)', async () => {
    await using backend = await daemon()
    const body = { ...echo('a', { repeat: 40, delay_ms: 25 }), session_id: 's1' }
    const first = process(backend, body)
    await expect.poll(() => backend.runs.list({ status: 'in_progress' }, OPERATOR)).toHaveLength(1)
    const second = await process(backend, { ...echo('b'), session_id: 's1' })
    expect(second).toMatchObject({
      status: 409,
      json: { object: 'response', status: 'rejected', error: { code: 'SESSION_BUSY' } },
    })
    const other = await process(backend, { ...echo('b'), session_id: 's2' })
    expect(other.status).toBe(200)
    const nameless = await Promise.all([process(backend, echo('c')), process(backend, echo('c'))])
    expect(nameless.map(({ status }) => status)).toEqual([200, 200])
    expect(eventsIn((await first).text).at(-1)).toMatchObject({ status: 'completed' })
  })
})

describe('a request', () => {
  test('reaches the agent with its generation parameters and tools [agentapi-tools-3]', async () => {
    const show = `
      const { readFileSync } = await import('node:fs')
      const { generation, tools } = JSON.parse(readFileSync(process.env.CACP_REQUEST_FILE, 'utf8'))
      console.log(JSON.stringify({ type: 'completed', output: { generation, tools } }))`
    await using backend = await daemon({ agent: { ...PLAYER, command: node(show) } })
    const tool = { name: 'f', description: 'does it', parameters: { type: 'object', properties: {} } }
    const body = ask('go', { model: 'm', temperature: 0.2, stop: 'END', tools: [{ function: tool }] })
    expect((await events(backend, body)).at(-1).output[0].content).toMatchObject([
      { type: 'data', data: { generation: { model: 'm', temperature: 0.2, stop: 'END' }, tools: [tool] } },
    ])
  })

  test('that is sent again under its id is done once, and told the same', async () => {
    await using backend = await daemon()
    const body = { ...echo('a', { repeat: 2 }), id: 'r1' }
    const [first, second] = [await process(backend, body), await process(backend, body)]
    expect(second.text).toBe(first.text)
    expect(backend.runs.list({}, OPERATOR)).toHaveLength(1)
    expect(await process(backend, { ...echo('b'), id: 'r1' })).toMatchObject({
      status: 409,
      json: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    })
  })

  test('without stream gets the last event as JSON, or the stream when it accepts nothing else (AS-25)', async () => {
    await using backend = await daemon()
    const body = { ...echo('a'), id: 'r1', stream: false }
    const json = await process(backend, body, { accept: 'application/json' })
    expect(json.status).toBe(200)
    const stream = await process(backend, body, { accept: 'text/event-stream' })
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(json.json).toEqual(eventsIn(stream.text).at(-1))
    expect((await process(backend, body)).json).toEqual(json.json)
  })

  test('without stream that fails gets the failure with its status', async () => {
    await using backend = await daemon({ agent: PLAYER })
    const body = ask(question({ say: ['one'], ending: 'failure' }), { stream: false })
    expect(await process(backend, body)).toMatchObject({
      status: 500,
      json: { status: 'failed', error: { code: 'AGENT_EXECUTION_FAILED' }, output: [{}] },
    })
  })

  test('gets an answer with its sources out of the box', async () => {
    await using backend = await daemon()
    await backend.rpc('cacp/project/create', { name: 'User Auth', objective: 'Log in' })
    const last = (await events(backend, ask('What is the status of the project?'))).at(-1)
    expect(last.output[0].content[0].text).toContain('User Auth')
    expect(last.output[0].metadata.citations[0].uri).toMatch(/^cacp:project\//)
  })
})

describe('what is refused', () => {
  test.each([
    ['no input', {}],
    ['an input that is text', { input: 'hi' }],
    ['a content that is text', { input: [{ role: 'user', content: 'hi' }] }],
    ['an unknown role', { input: [{ role: 'robot', content: [] }] }],
    ['an unknown content', { input: [{ role: 'user', content: [{ type: 'zz' }] }] }],
    ['nine answers', { ...EXAMPLE, n: 9 }],
    ['a list', [1]],
    ['unknown work', { ...EXAMPLE, biz_params: { work_type: 'fly' } }],
  ])('is a rejected response: %s (AS-10, AS-11) [agentapi-status-2]', async (_, body) => {
    await using backend = await daemon()
    const { status, json } = await process(backend, body)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      object: 'response',
      status: 'rejected',
      error: { code: 'INVALID_PARAMETER', message: expect.any(String) },
    })
    expect(backend.runs.list({}, OPERATOR)).toEqual([])
  })

  test.each([
    ['what is not JSON', '{', {}, 400],
    ['another type', '{}', { 'content-type': 'text/plain' }, 415],
    ['too much', JSON.stringify(ask('x'.repeat(1_100_000))), {}, 413],
  ])('is JSON also for %s (AS-11)', async (_, body, headers, expected) => {
    await using backend = await daemon()
    const { status, json } = await process(backend, body, headers)
    expect(status).toBe(expected)
    expect(json).toMatchObject({ object: 'response', error: { code: expect.any(String) } })
  })

  test('is an empty key where one is needed, and only there (AS-14)', async () => {
    await using closed = await daemon()
    expect(await process(closed, EXAMPLE, { authorization: 'Bearer' })).toMatchObject({
      status: 401,
      json: { object: 'response', status: 'rejected', error: { code: 'UNAUTHORIZED' } },
    })
    await using open = await daemon({ open: true })
    expect((await process(open, EXAMPLE, { authorization: 'Bearer' })).status).toBe(200)
  })

  test('is a page that is not listed; one that is may send a key (AS-15)', async () => {
    await using backend = await daemon({ allowedOrigins: ['http://localhost:5173'] })
    const preflight = (origin: string) =>
      backend.fetch('/process', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      })
    const allowed = await preflight('http://localhost:5173')
    expect(allowed.status).toBe(204)
    expect(allowed.headers['access-control-allow-origin']).toBe('http://localhost:5173')
    expect(allowed.headers['access-control-allow-headers']).toMatch(/authorization.*content-type/)
    const foreign = await preflight('http://evil.example')
    expect(foreign.status).toBe(403)
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
    const answer = await process(backend, EXAMPLE, { origin: 'http://localhost:5173' })
    expect(answer.headers['access-control-allow-origin']).toBe('http://localhost:5173')
  })

  test('is a shutdown from outside: there is no such thing here (AS-29)', async () => {
    await using backend = await daemon()
    for (const path of ['/shutdown', '/admin/shutdown']) {
      const reply = await request(`${backend.url}${path}`, { method: 'POST' })
      expect(reply.statusCode).toBe(404)
      await reply.body.dump()
    }
    expect((await backend.fetch('/health')).status).toBe(200)
  })
})

test('GET / says what this service is, and every endpoint it lists is there (AS-30)', async () => {
  await using backend = await daemon()
  const { status, json } = await backend.fetch('/', { headers: { authorization: '' } })
  expect(status).toBe(200)
  expect(json).toMatchObject({ service: 'cacpd', endpoints: { process: '/process', health: '/health' } })
  for (const path of Object.values<string>(json.endpoints))
    expect((await backend.fetch(path)).status, path).not.toBe(404)
  expect(await backend.rpc('cacp/project/list', {})).toMatchObject({ projects: [] })
})
