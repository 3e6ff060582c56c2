import { request } from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Assembly } from '../../../../src/protocol/chiffon/assembly.ts'
import { daemon, type TestDaemon } from '../../../support/daemons/daemon.ts'
import {
  anotherRequest,
  type Message,
  postMessage,
  streamMessage,
  workRequest,
} from '../../../support/dialects/chiffon-client.ts'
import { type FakeAgent, fakeAgent } from '../../../support/network/fake-agent.ts'

const MIB = 1024 * 1024

let running: TestDaemon
beforeEach(async () => {
  running = await daemon({ open: true, peerRetrySeconds: [0, 0, 0, 0] })
})
afterEach(() => running[Symbol.asyncDispose]())

/** An orchestrator that this daemon knows, and what it calls with. */
async function paired(
  serve: (visit: number) => number,
): Promise<{ agent: FakeAgent; headers: Record<string, string> }> {
  const agent = await fakeAgent({
    serve: ({ response, visit }) => {
      response.statusCode = serve(visit)
      response.end()
    },
  })
  await running.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(agent.registration),
  })
  return { agent, headers: { authorization: '', 'x-agent-id': agent.registration.agentId } }
}
const endsAt = (agent: FakeAgent): Message[] =>
  agent.messages.map(({ message }) => message).filter(({ type }) => type !== 'work_status')

describe('a result', () => {
  test('is brought to the orchestrator that did not wait for it, tried again until it is taken', async () => {
    const { agent, headers } = await paired((visit) => (visit < 2 ? 503 : 204))
    await using _ = agent
    const message = workRequest({}, { x_custom_fields: { team: 'blue' } })
    expect((await postMessage(running, message, headers)).status).toBe(202)
    await expect.poll(() => agent.messages.length).toBe(3)
    for (const { message: delivered } of agent.messages)
      expect(delivered).toMatchObject({
        type: 'work_result',
        from_agent: 'code',
        to_agent: 'orchestrator',
        trace_id: message.trace_id,
        request_id: message.request_id,
        x_custom_fields: { team: 'blue' },
        payload: { task_id: message.payload.task_id, status: 'success', output: 'hello' },
      })
  })

  test('that was streamed to its end is not brought a second time', async () => {
    const { agent, headers } = await paired(() => 204)
    await using _ = agent
    await streamMessage(running, workRequest(), headers)
    await postMessage(running, anotherRequest(), headers)
    await expect.poll(() => endsAt(agent).length).toBe(1)
    expect(endsAt(agent)[0].request_id).not.toBe(workRequest().request_id)
  })

  test('is brought when the reader of its stream left before the end', async () => {
    const { agent } = await paired(() => 204)
    await using _ = agent
    const leaving = new AbortController()
    const { body } = await request(`${running.url}/api/agent/message`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-agent-id': agent.registration.agentId,
      },
      body: JSON.stringify(workRequest({ parameters: { text: 'x', repeat: 3, delay_ms: 200 } })),
      signal: leaving.signal,
    })
    body.once('data', () => leaving.abort())
    body.on('error', () => {})
    await expect
      .poll(() => endsAt(agent), { timeout: 10_000 })
      .toMatchObject([{ payload: { output: 'xxx' } }])
  })

  test('of more than 1 MiB comes in chunks and then its tail, streamed and brought alike [chiffon-chunk-1]', async () => {
    const { agent, headers } = await paired(() => 204)
    await using _ = agent
    const parameters = { text: 'é😀\n'.repeat(1000), repeat: 200 }
    const message = workRequest({ parameters })
    const messages = await streamMessage(running, message, headers)
    const again = { ...message, request_id: message.trace_id }
    expect((await postMessage(running, again, headers)).status).toBe(202)
    await expect.poll(() => endsAt(agent).length, { timeout: 20_000 }).toBe(1)
    const delivered = agent.messages.map((one) => one.message)
    for (const told of [messages, delivered]) {
      const assembly = new Assembly()
      const chunks = told.filter(({ payload }) => payload.step?.output_chunk !== undefined)
      for (const { payload } of chunks) assembly.add(payload.step.output_chunk, payload.step.output)
      expect(chunks.length).toBe(6)
      expect(assembly.text() === 'é😀\n'.repeat(200_000)).toBe(true)
      const { payload } = told.at(-1)
      expect(payload.output_chunk).toMatch(/^bytes \d+-1400000 of 1400000$/)
      expect('é😀\n'.repeat(200_000).endsWith(payload.output)).toBe(true)
      for (const one of told) expect(Buffer.byteLength(JSON.stringify(one))).toBeLessThan(MIB)
    }
  }, 60_000)
})

describe('a heartbeat', () => {
  test('CH-29 is noted as a sign of life, and changes nothing about any work', async () => {
    const { agent, headers } = await paired(() => 204)
    await using _ = agent
    const payload = {
      agent_id: '550e8400-e29b-41d4-a716-446655440009',
      agent_type: 'infra',
      status: 'busy',
      current_task_id: null,
      resources: { cpu: 5 },
    }
    const beat = workRequest(
      {},
      { type: 'work_status', from_agent: 'infra', to_agent: 'orchestrator', payload },
    )
    expect((await postMessage(running, beat, headers)).status).toBe(204)
    expect((await running.rpc('cacp/run/list')).runs).toEqual([])
    const { work } = await running.rpc('cacp/work/send', { peer: 'worker', workType: 'build' })
    expect(work.lastHeartbeat).toMatch(/Z$/)
    const wrong = { ...beat, payload: { ...payload, status: 'asleep' } }
    expect(await postMessage(running, wrong, headers)).toMatchObject({
      status: 400,
      json: { payload: { error_context: { field_name: 'payload.status' } } },
    })
  })
})
