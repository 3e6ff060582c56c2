import { randomUUID } from 'node:crypto'
import { afterEach } from 'vitest'
import type { Config } from '../../../src/config/config.ts'
import { daemon, type TestDaemon } from '../daemons/daemon.ts'
import { type FakeAgent, type FakeAgentOptions, fakeAgent } from '../network/fake-agent.ts'

export interface WorkPlaceOptions extends Partial<FakeAgentOptions> {
  readonly flags?: Partial<Config>
}

/** A daemon that gives work to an agent that behaves as the test wants; both are gone after each test. */
export function workPlace() {
  const toStop: AsyncDisposable[] = []
  afterEach(async () => {
    for (const one of toStop.splice(0)) await one[Symbol.asyncDispose]()
  })
  let running: TestDaemon | undefined

  const rpc: TestDaemon['rpc'] = (method, params, headers) => {
    if (running === undefined) throw new Error('nobody is there yet')
    return running.rpc(method, params, headers)
  }
  const send = async (params: object = {}) =>
    (await rpc('cacp/work/send', { peer: 'worker', workType: 'build', ...params })).work
  const ended = async (workId: string) => {
    for (;;) {
      const shown = await rpc('cacp/work/get', { workId, waitSeconds: 20 })
      if (shown.work.endedAt !== null) return shown
    }
  }

  return {
    rpc,
    send,
    /** What became of it, when it has ended. */
    ended,
    done: async (params: object = {}) => ended((await send(params)).workId),
    /** A message about some work that an agent brings by itself. */
    bring: (
      { requestId, traceId }: { requestId: string; traceId: string },
      type: string,
      payload: object,
      from = 'aid://example.com/worker@1.0.0',
    ) => {
      if (running === undefined) throw new Error('nobody is there yet')
      return running.fetch('/api/agent/message', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: '', 'x-agent-id': from },
        body: JSON.stringify({
          protocol_version: '1.0',
          message_id: randomUUID(),
          from_agent: 'code',
          to_agent: 'orchestrator',
          timestamp: '2026-01-19T04:21:04Z',
          trace_id: traceId,
          request_id: requestId,
          type,
          payload,
        }),
      })
    },
    between: async (
      serve: FakeAgentOptions['serve'],
      { flags, ...options }: WorkPlaceOptions = {},
    ): Promise<FakeAgent> => {
      running = await daemon({ open: true, peerRetrySeconds: [0, 0, 0, 0], ...flags })
      const agent = await fakeAgent({ serve, ...options })
      toStop.push(running, agent)
      await running.fetch('/peers/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(agent.registration),
      })
      return agent
    },
  }
}
