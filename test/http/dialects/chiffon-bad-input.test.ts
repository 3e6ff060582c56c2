import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import {
  anotherRequest,
  postMessage,
  streamMessage,
  TASK,
  TRACE,
  workRequest,
} from '../../support/dialects/chiffon-client.ts'

let running: TestDaemon
beforeAll(async () => {
  running = await daemon()
})
afterAll(() => running[Symbol.asyncDispose]())

const runsOf = async () => (await running.rpc('cacp/run/list', {})).runs

describe('what is wrong with a message', () => {
  test('CH-03 CH-25 is 5003: no JSON, no payload, codes out of range [chiffon-error-4] [chiffon-error-1]', async () => {
    expect(await postMessage(running, '{"a":')).toMatchObject({
      status: 400,
      json: {
        type: 'error',
        payload: { error_code: 5003, error_context: { validation_error: expect.stringContaining('JSON') } },
      },
    })
    const { payload: _, ...without } = workRequest()
    expect(await postMessage(running, without)).toMatchObject({
      status: 400,
      json: { trace_id: TRACE, payload: { error_code: 5003, error_context: { field_name: 'payload' } } },
    })
    const error = (error_code: number) =>
      workRequest(
        {},
        { type: 'error', payload: { error_code, error_message: 'no' }, to_agent: 'orchestrator' },
      )
    for (const code of [4999, 6000])
      expect(await postMessage(running, error(code))).toMatchObject({
        status: 400,
        json: { payload: { error_context: { field_name: 'payload.error_code' } } },
      })
    expect((await postMessage(running, error(5001))).status).toBe(204)
  })

  test.each([
    ['from_agent', 'robot'],
    ['to_agent', 'infra'],
    ['type', 'zz'],
    ['request_id', 'xyz123'],
    ['trace_id', 7],
    ['message_id', null],
    ['timestamp', 5],
    ['timestamp', 'yesterday'],
    ['payload', []],
    ['x_custom_fields', null],
    ['x_custom_fields', { long: 'x'.repeat(20_000) }],
    ['priority', 9],
    ['protocol_version', 1],
  ])('CH-04 %s %j is 5003 and named [chiffon-envelope-2] [chiffon-envelope-3]', async (field, value) => {
    const { status, json } = await postMessage(running, workRequest({}, { [field]: value }))
    expect(status).toBe(400)
    expect(json).toMatchObject({
      type: 'error',
      payload: { error_code: 5003, error_context: { field_name: field } },
    })
    expect(await runsOf()).toEqual([])
  })

  test.each([
    'message_id',
    'from_agent',
    'to_agent',
    'timestamp',
    'trace_id',
    'request_id',
    'type',
    'protocol_version',
  ])('CH-04 without %s it is 5003 and named', async (field) => {
    const { [field]: _, ...without } = workRequest()
    expect(await postMessage(running, without)).toMatchObject({
      status: 400,
      json: { payload: { error_code: 5003, error_context: { field_name: field } } },
    })
  })

  test.each([
    ['task_id', 'x'],
    ['work_type', ''],
    ['work_type', 5],
    ['parameters', []],
    ['hints', 5],
    ['hints', { max_duration_seconds: -1 }],
  ])('payload.%s %j is 5003 and named', async (field, value) => {
    const { status, json } = await postMessage(running, workRequest({ [field]: value }))
    expect({ status, field: json.payload.error_context.field_name }).toEqual({
      status: 400,
      field: expect.stringContaining(`payload.${field}`),
    })
  })

  test('CH-06 another version is 5006 [chiffon-version-2]', async () => {
    expect(await postMessage(running, workRequest({}, { protocol_version: '2.0' }))).toMatchObject({
      status: 400,
      json: {
        protocol_version: '1.0',
        trace_id: TRACE,
        type: 'error',
        payload: {
          error_code: 5006,
          error_context: { work_type_requested: 'echo', supported_versions: ['1.0'] },
        },
      },
    })
    expect(await runsOf()).toEqual([])
  })

  test('CH-08 an unknown type of work is 5006 with those that are done [chiffon-error-7]', async () => {
    const { status, json } = await postMessage(running, workRequest({ work_type: 'run_playbook' }))
    expect(status).toBe(400)
    expect(json.payload).toMatchObject({
      error_code: 5006,
      error_context: { work_type_requested: 'run_playbook' },
    })
    expect(json.payload.error_context.supported_types).toEqual(
      expect.arrayContaining(['echo', 'answer_question']),
    )
  })

  test('is told before the body is read where it is too large or of another type', async () => {
    const { status, json } = await postMessage(
      running,
      workRequest({ parameters: { text: 'x'.repeat(4 << 20) } }),
    )
    expect({ status, code: json.payload.error_code }).toEqual({ status: 413, code: 5003 })
    const typed = await postMessage(running, workRequest(), { 'content-type': 'text/plain' })
    expect({ status: typed.status, code: typed.json.payload.error_code }).toEqual({ status: 415, code: 5003 })
  })

  test('a body of just below 4 MiB is taken', async () => {
    const text = 'x'.repeat((4 << 20) - 10_000)
    const messages = await streamMessage(running, anotherRequest({ parameters: { text } }))
    expect(messages.at(-1).type).toBe('work_result')
  })
})

describe('a status, result or error of another agent', () => {
  const sent = (type: string, payload: object) => workRequest({}, { type, payload, to_agent: 'orchestrator' })
  const step = { number: 1, name: 'a' }
  const status = { task_id: TASK, status: 'running', progress_percent: 50, step }

  test.each([
    { ...status, progress_percent: -1 },
    { ...status, progress_percent: 101 },
    { ...status, progress_percent: 50.5 },
    { ...status, status: 'done' },
    { ...status, step: undefined },
  ])('CH-14 %j is 5003 [chiffon-status-2]', async (payload) => {
    expect(await postMessage(running, sent('work_status', payload))).toMatchObject({
      status: 400,
      json: { payload: { error_code: 5003 } },
    })
  })

  test.each([0, 100])('CH-14 progress %d is taken', async (progress_percent) => {
    expect((await postMessage(running, sent('work_status', { ...status, progress_percent }))).status).toBe(
      204,
    )
  })

  test('a success with another exit code than 0 is 5003 [chiffon-result-3]', async () => {
    const result = { task_id: TASK, status: 'success', exit_code: 3, output: '' }
    expect(await postMessage(running, sent('work_result', result))).toMatchObject({
      status: 400,
      json: { payload: { error_context: { field_name: 'payload.exit_code' } } },
    })
    expect((await postMessage(running, sent('work_result', { ...result, exit_code: 0 }))).status).toBe(204)
  })

  test('what agents in the field send is taken too', async () => {
    const result = { task_id: TASK, status: 'completed', exit_code: 0, duration_ms: 5, agent_id: TASK }
    expect((await postMessage(running, sent('work_result', result))).status).toBe(204)
    const error = { error_code: 5002, error_message: 'gone', context: { agent_id: 'x' } }
    expect((await postMessage(running, sent('error', error))).status).toBe(204)
  })
})
