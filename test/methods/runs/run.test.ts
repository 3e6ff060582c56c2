import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { node } from '../../support/daemons/scripts.ts'
import { requestWith } from '../../support/dialects/run-events.ts'
import { OPERATOR, PEER } from '../../support/runs/test-runs.ts'

let running: TestDaemon
beforeAll(async () => {
  const script = "process.stdout.write('I am the agent of ' + process.cwd().split('/').at(-1))"
  running = await daemon({ agent: AgentSettings.parse({ command: node(script) }), runsAtOnce: 1 })
})
afterAll(() => running[Symbol.asyncDispose]())

const ask = (request_id: string, text: string) =>
  requestWith({ request_id, messages: [{ role: 'user', content: [{ type: 'text', text }] }] })

describe('the methods of runs', () => {
  test('tell what the command of the repository answered, event by event and in sum', async () => {
    const { run } = await running.runs.start(ask('a', 'Who are you?'), OPERATOR)
    const events = []
    for (let isOver = false; !isOver; ) {
      const after = events.at(-1)?.sequence ?? 0
      const news = await running.rpc('cacp/run/get', { runId: run.run_id, after, waitSeconds: 20 })
      events.push(...news.events)
      isOver = news.run.ended_at !== null && news.run.last_sequence === events.at(-1)?.sequence
    }
    expect(events.map(({ type }) => type)).toEqual(['started', 'text', 'completed'])
    const { run: shown, result } = await running.rpc('cacp/run/get', { runId: run.run_id })
    expect(shown).toMatchObject({ status: 'completed', runner: 'command', prompt: 'Who are you?' })
    expect(result).toMatchObject({ text: expect.stringMatching(/^I am the agent of /), exit_code: 0 })
  })

  test('answer at once with no events where there are no more', async () => {
    const [run] = running.runs.list({}, OPERATOR)
    const news = await running.rpc('cacp/run/get', { runId: run?.run_id, after: 1000, waitSeconds: 20 })
    expect(news.events).toEqual([])
  })

  test('show what was asked as a whole, where one wants it', async () => {
    const long = 'Who are you? '.repeat(100)
    const { run } = await running.runs.start(ask('long', long), OPERATOR)
    const { run: shown, request } = await running.rpc('cacp/run/get', {
      runId: run.run_id,
      includeRequest: true,
    })
    expect(shown.prompt.length).toBeLessThan(long.length)
    expect(request).toEqual({
      messages: [{ role: 'user', content: [{ type: 'text', text: long }] }],
      parameters: {},
      hints: {},
      generation: {},
      tools: [],
      files: [],
    })
    expect(await running.rpc('cacp/run/get', { runId: run.run_id })).not.toHaveProperty('request')
    await running.rpc('cacp/run/get', { runId: run.run_id, after: 2, waitSeconds: 20 })
  })

  test('cancel what is at work, and list by status', async () => {
    const slow = requestWith({
      request_id: 's',
      work_type: 'echo',
      parameters: { repeat: 100, delay_ms: 1000 },
    })
    const { run } = await running.runs.start(slow, PEER)
    await expect(running.runs.start({ ...slow, request_id: 't' }, PEER)).rejects.toMatchObject({
      kind: 'busy',
    })
    expect((await running.rpc('cacp/run/list', { status: 'in_progress' })).runs).toMatchObject([
      { run_id: run.run_id, asked_by: PEER.agentId },
    ])
    const canceled = await running.rpc('cacp/run/cancel', { runId: run.run_id, reason: 'enough' })
    expect(canceled.run).toMatchObject({ status: 'canceled' })
    expect((await running.rpc('cacp/run/list', { status: 'in_progress' })).runs).toEqual([])
  })

  test('need a key', async () => {
    const reply = await running.post(
      { jsonrpc: '2.0', id: 1, method: 'cacp/run/list', params: {} },
      { authorization: '' },
    )
    expect(reply.status).toBe(401)
  })
})
