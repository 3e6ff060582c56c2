import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../../support/daemons/daemon.ts'
import {
  anotherRequest,
  pollUntilEnd,
  postMessage,
  REQUEST,
  streamMessage,
  TASK,
  TRACE,
  workRequest,
} from '../../../support/dialects/chiffon-client.ts'

let running: TestDaemon
beforeEach(async () => {
  running = await daemon()
})
afterEach(() => running[Symbol.asyncDispose]())

const runsOf = async () => (await running.rpc('cacp/run/list', {})).runs

describe('a work_request', () => {
  test('CH-01 is acknowledged, and ends with one work_result for the same task [chiffon-request-1] [chiffon-envelope-1]', async () => {
    const first = await postMessage(running, workRequest())
    expect(first.status).toBe(202)
    expect(first.json).toMatchObject({ type: 'work_status', from_agent: 'code', to_agent: 'orchestrator' })
    const { status, json } = await pollUntilEnd(running, workRequest())
    expect(status).toBe(200)
    expect(json).toEqual({
      protocol_version: '1.0',
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      from_agent: 'code',
      to_agent: 'orchestrator',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      trace_id: TRACE,
      request_id: REQUEST,
      type: 'work_result',
      payload: {
        task_id: TASK,
        status: 'success',
        exit_code: 0,
        output: 'hello',
        resources_used: { duration_seconds: 0, gpu_vram_mb: 0 },
      },
      x_custom_fields: {},
    })
    expect(json.message_id).not.toBe(workRequest().message_id)
  })

  test('CH-15 CH-28 is streamed as statuses that never go back, one result, and nothing after it [chiffon-result-2] [chiffon-status-3] [chiffon-trace-1]', async () => {
    const parameters = { text: 'ab', repeat: 4, delay_ms: 10 }
    const messages = await streamMessage(running, workRequest({ parameters }))
    expect(messages.at(-1)).toMatchObject({
      type: 'work_result',
      payload: { task_id: TASK, status: 'success', output: 'abababab' },
    })
    const statuses = messages.slice(0, -1)
    expect(statuses.length).toBeGreaterThan(4)
    expect(new Set(statuses.map(({ type }) => type))).toEqual(new Set(['work_status']))
    const progress = statuses.map(({ payload }) => payload.progress_percent)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(100)
    expect(new Set(messages.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE]))
    expect(new Set(messages.map(({ request_id }) => request_id))).toEqual(new Set([REQUEST]))
    expect(new Set(messages.map(({ message_id }) => message_id)).size).toBe(messages.length)
    expect(statuses.map(({ payload }) => payload.status)).toContain('step_completed')
  })

  test('has its custom fields in every answer, also a refusal [chiffon-envelope-4]', async () => {
    const x_custom_fields = JSON.parse('{"team":"blue","nested":{"a":[1,null]},"__proto__":{"b":2}}')
    const messages = await streamMessage(running, workRequest({}, { x_custom_fields }))
    for (const message of messages)
      expect(JSON.stringify(message.x_custom_fields)).toBe(JSON.stringify(x_custom_fields))
    const { json } = await postMessage(running, workRequest({ work_type: 'nope' }, { x_custom_fields }))
    expect(json.type).toBe('error')
    expect(JSON.stringify(json.x_custom_fields)).toBe(JSON.stringify(x_custom_fields))
  })

  test('CH-09 that is repeated answers the same payload, byte for byte, and is done once [chiffon-retry-3]', async () => {
    const first = await pollUntilEnd(running, workRequest())
    const second = await postMessage(running, workRequest({}, { message_id: TRACE }))
    expect(JSON.stringify(second.json.payload)).toBe(JSON.stringify(first.json.payload))
    expect(second.json.message_id).not.toBe(first.json.message_id)
    const streamed = await streamMessage(running, workRequest())
    expect(JSON.stringify(streamed.at(-1).payload)).toBe(JSON.stringify(first.json.payload))
    expect(await runsOf()).toMatchObject([{ attempt: 1, dialect: 'chiffon', request_id: REQUEST }])
  })

  test('with the id of another one is refused, whatever differs', async () => {
    await pollUntilEnd(running, workRequest())
    for (const payload of [
      { parameters: { text: 'else' } },
      { work_type: 'answer_question' },
      { task_id: TRACE },
    ])
      expect(await postMessage(running, workRequest(payload))).toMatchObject({
        status: 400,
        json: { type: 'error', payload: { error_code: 5003, error_context: { field_name: 'request_id' } } },
      })
    expect(await runsOf()).toHaveLength(1)
  })

  test('under another trace is the same request, answered under that trace', async () => {
    await pollUntilEnd(running, workRequest())
    const { status, json } = await postMessage(running, workRequest({}, { trace_id: TASK }))
    expect({ status, trace: json.trace_id }).toEqual({ status: 200, trace: TASK })
  })

  test('is answered with how far it is, as long as it is not done [chiffon-status-1]', async () => {
    const message = workRequest({ parameters: { text: 'x', repeat: 3, delay_ms: 3000 } })
    expect((await postMessage(running, message)).status).toBe(202)
    await expect
      .poll(async () => (await postMessage(running, message)).json.payload)
      .toEqual({
        task_id: TASK,
        status: 'step_completed',
        progress_percent: 33,
        step: { number: 1, name: 'echo', output: '' },
      })
    const [run] = await runsOf()
    await running.rpc('cacp/run/cancel', { runId: run.run_id })
    expect((await postMessage(running, message)).json.payload).toMatchObject({
      status: 'failed',
      exit_code: 130,
      output: 'x\nCanceled: canceled by request',
    })
  })

  test('CH-17 that takes longer than its hint is 5001, and is then tried again [chiffon-error-2] [chiffon-timeout-2]', async () => {
    const message = workRequest({
      parameters: { text: 'x', repeat: 5, delay_ms: 9000 },
      hints: { max_duration_seconds: 0.2 },
    })
    const last = (await streamMessage(running, message)).at(-1)
    expect(last).toMatchObject({
      type: 'error',
      payload: {
        error_code: 5001,
        error_context: { attempted_retries: 0, last_attempt: expect.stringMatching(/Z$/) },
      },
    })
    const again = await streamMessage(running, message)
    expect(again[0]).toMatchObject({ type: 'work_status' })
    expect(again.at(-1)).toMatchObject({
      payload: { error_code: 5001, error_context: { attempted_retries: 1 } },
    })
    expect(await runsOf()).toMatchObject([{ attempt: 2 }])
  })

  test('CH-13 that failed for a passing reason tells so once, and then is tried again', async () => {
    const message = workRequest({
      parameters: { text: 'x', repeat: 5, delay_ms: 9000 },
      hints: { max_duration_seconds: 0.1 },
    })
    expect((await postMessage(running, message)).status).toBe(202)
    expect(await pollUntilEnd(running, message)).toMatchObject({
      status: 503,
      json: { type: 'error', payload: { error_code: 5001 } },
    })
    const again = await postMessage(running, message)
    expect(again.json).toMatchObject({ type: 'work_status' })
    expect(again.status).toBe(202)
    expect(await runsOf()).toMatchObject([{ attempt: 2 }])
  })

  test('with parameters that the work cannot use ends with 5003', async () => {
    const last = (await streamMessage(running, workRequest({ parameters: { text: 5 } }))).at(-1)
    expect(last).toMatchObject({
      type: 'error',
      payload: {
        error_code: 5003,
        error_context: { field_name: expect.stringMatching(/^payload\.parameters/) },
      },
    })
  })

  test('gets a cited answer about a project without anything configured', async () => {
    await running.rpc('cacp/project/create', { name: 'User Auth', objective: 'Log in' })
    const question = {
      work_type: 'answer_question',
      parameters: { question: 'What is the status of the project?' },
    }
    const messages = await streamMessage(running, workRequest(question))
    const { payload } = messages.at(-1)
    expect(payload).toMatchObject({ status: 'success', exit_code: 0 })
    expect(payload.output).toContain('User Auth')
    expect(payload.citations[0]).toMatchObject({ uri: expect.stringMatching(/^cacp:project\//) })
    expect(
      messages
        .slice(0, -1)
        .map((one) => one.payload.step.output)
        .join(''),
    ).toBe(payload.output)
  })
})

describe('limits', () => {
  test('CH-26 more work at once than is taken is 5005 with whole numbers [chiffon-error-6]', async () => {
    await using small = await daemon({ runsAtOnce: 1 })
    const slow = { parameters: { text: 'x', repeat: 2, delay_ms: 9000 } }
    expect((await postMessage(small, anotherRequest(slow))).status).toBe(202)
    const { status, json } = await postMessage(small, anotherRequest(slow))
    expect(status).toBe(429)
    expect(json.payload).toMatchObject({
      error_code: 5005,
      error_context: { limit_name: 'concurrent_runs', available: 0, required: 1 },
    })
  })

  test('CH-07 the versions are registered in the card, with the kind of agent [chiffon-version-1]', async () => {
    await using infra = await daemon({ chiffonAgent: 'infra' })
    const { json } = await infra.fetch('/.well-known/agent.json')
    expect(json.extensions.chiffon).toEqual({
      endpoint: `${infra.url}/api/agent/message`,
      versions: ['1.0'],
      agentType: 'infra',
    })
    expect((await postMessage(infra, workRequest())).status).toBe(400)
    const { json: answered } = await pollUntilEnd(infra, workRequest({}, { to_agent: 'infra' }))
    expect(answered).toMatchObject({ type: 'work_result', from_agent: 'infra' })
  })
})
