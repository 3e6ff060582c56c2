import { describe, expect, test } from 'vitest'
import { sessionIdOf, toRun } from '../../../src/dialects/agent-api/to-run.ts'
import { fingerprintOf, promptOf } from '../../../src/protocol/run/request.ts'

let ids = 0
const newId = () => `id-${++ids}`

const says = (text: string) => ({ role: 'user', type: 'message', content: [{ type: 'text', text }] })

/** The document's own example. */
const EXAMPLE = { input: [says('Describe this image')], stream: true, model: 'gpt-4-vision' }

const runOf = (body: object) => toRun(body, newId).request

describe('a request', () => {
  test('of the document becomes a question to the default agent [agentapi-request-1]', () => {
    const { request, stream } = toRun(EXAMPLE, newId)
    expect(stream).toBe(true)
    expect(request).toMatchObject({
      dialect: 'agent-api',
      request_id: expect.stringMatching(/^response_id-/),
      session_id: expect.stringMatching(/^id-/),
      work_type: 'answer_question',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Describe this image' }] }],
      generation: { model: 'gpt-4-vision' },
    })
    expect(promptOf(request)).toBe('Describe this image')
    expect(toRun({ input: EXAMPLE.input }, newId).stream).toBe(true)
    expect(toRun({ ...EXAMPLE, stream: false }, newId).stream).toBe(false)
  })

  test('hands on all generation parameters [agentapi-request-2] [agentapi-request-4]', () => {
    const generation = {
      model: 'm',
      top_p: 0.5,
      temperature: 0,
      frequency_penalty: 0.1,
      presence_penalty: -0.1,
      max_tokens: 100,
      stop: ['a', 'b'],
      n: 5,
      seed: 7,
    }
    expect(runOf({ ...EXAMPLE, ...generation }).generation).toEqual(generation)
    expect(runOf({ ...EXAMPLE, ...generation, stop: 'END', n: null }).generation).toMatchObject({
      stop: 'END',
    })
  })

  test('hands on its tools, with or without a type, and those that are no functions as they are [agentapi-tools-1]', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const weather = { name: 'weather', description: 'Tells it', parameters }
    const search = { type: 'web_search', depth: 2 }
    const { tools, generation } = runOf({
      ...EXAMPLE,
      tools: [{ type: 'function', function: weather }, { function: weather }, weather, search],
    })
    expect(tools).toEqual([weather, weather, weather])
    expect(generation['tools']).toEqual([search])
  })

  test('may have messages of every type and role, and keys that nobody knows (AS-12) [agentapi-type-1] [agentapi-role-1]', () => {
    const data = (of: object) => [{ type: 'data', data: of }]
    const { messages, parameters } = runOf({
      input: [
        { role: 'system', type: 'message', content: [{ type: 'text', text: 'be brief' }] },
        { type: 'plugin_call', content: data({ call_id: 'c1', name: 'weather', arguments: '{}' }) },
        { type: 'plugin_call_output', content: data({ call_id: 'c1', output: 'sunny' }) },
        { type: 'a2ui_action', role: 'user', content: null },
        { type: 'heartbeat', content: null },
        { content: [{ type: 'text', text: 'and now?' }], status: 'created', unheard: 1 },
      ],
      response_id: 'response_1',
      biz_params: { project: 'p1' },
    })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'assistant', 'tool', 'user', 'user'])
    expect(messages[2]).toMatchObject({ tool_call_id: 'c1' })
    expect(parameters).toEqual({ response_id: 'response_1', project: 'p1' })
  })

  test('may have contents of every type, also as the web client writes them (AS-13)', () => {
    const { messages, files } = runOf({
      input: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look', status: 'created' },
            { type: 'image', image_url: 'https://x/a.png', status: 'created' },
            { type: 'image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
            { type: 'data', data: { a: 1 } },
            { type: 'audio', data: 'UklGRg==', format: 'wav' },
            { type: 'video', video_url: 'https://x/a.mp4' },
            { type: 'file', file_url: 'https://x/a.pdf', file_name: 'a.pdf', file_size: 12 },
            { type: 'refusal', refusal: 'no' },
            { type: 'text', text: null },
          ],
        },
      ],
    })
    expect(messages[0]?.content.map(({ type }) => type)).toEqual([
      'text',
      'image',
      'image',
      'data',
      'audio',
      'video',
      'file',
      'refusal',
    ])
    expect(messages[0]?.content[6]).toEqual({ type: 'file', file_url: 'https://x/a.pdf', filename: 'a.pdf' })
    expect(files).toEqual(['https://x/a.png', 'https://x/a.mp4', 'https://x/a.pdf'])
  })

  test('may ask for other work in biz_params, whose other keys are the parameters of it', () => {
    expect(runOf({ ...EXAMPLE, biz_params: { work_type: 'echo', text: 'a', repeat: 2 } })).toMatchObject({
      work_type: 'echo',
      parameters: { text: 'a', repeat: 2 },
    })
  })
})

describe('the session', () => {
  test('is the one that is given, or a new one [agentapi-request-5]', () => {
    expect(runOf({ ...EXAMPLE, session_id: 's1' }).session_id).toBe('s1')
    expect(runOf(EXAMPLE).session_id).not.toBe(runOf(EXAMPLE).session_id)
  })

  test('of two users is not the same, though each hears of it by its own name', () => {
    const of = (user_id: string) => runOf({ ...EXAMPLE, session_id: 's/1', user_id })
    expect(of('alice').session_id).not.toBe(of('bob').session_id)
    expect([of('alice'), of('bob')].map(sessionIdOf)).toEqual(['s/1', 's/1'])
  })

  test('of a request that is sent again under its id is the same, so that it is the same request', () => {
    const [first, second] = [runOf({ ...EXAMPLE, id: 'r1' }), runOf({ ...EXAMPLE, id: 'r1' })]
    expect(first.request_id).toBe('r1')
    expect(fingerprintOf(first)).toBe(fingerprintOf(second))
  })
})

describe('what is refused names its field', () => {
  const TOOL = { type: 'function', function: { name: 'f', description: '', parameters: { type: 'array' } } }

  test.each([
    ['no input', {}, 'input'],
    ['an input that is no list', { input: 'hi' }, 'input'],
    ['an empty input', { input: [] }, 'input'],
    ['a content that is text', { input: [{ role: 'user', content: 'hi' }] }, 'input.0.content'],
    ['a role that there is not', { input: [{ role: 'robot', content: [] }] }, 'input.0.role'],
    ['a type that there is not', { input: [{ content: [{ type: 'zz' }] }] }, 'input.0.content.0.type'],
    ['a content that is no object', { input: [{ content: ['hi'] }] }, 'input.0.content.0'],
    ['more than five answers', { ...EXAMPLE, n: 9 }, 'n'],
    ['no answer', { ...EXAMPLE, n: 0 }, 'n'],
    ['a model that is a number', { ...EXAMPLE, model: 4 }, 'model'],
    ['arguments that are no object', { ...EXAMPLE, tools: [TOOL] }, 'tools.0'],
    ['a list', [1], 'body'],
    ['work without a name', { ...EXAMPLE, biz_params: { work_type: 7 } }, 'biz_params.work_type'],
  ])('%s (AS-10) [agentapi-request-3] [agentapi-tools-2]', (_, body, field) => {
    expect(() => toRun(body, newId)).toThrow(
      expect.objectContaining({
        kind: 'invalid_params',
        data: { field },
        message: expect.stringContaining(field),
      }),
    )
  })
})
