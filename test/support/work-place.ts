import { afterEach } from 'vitest'
import type { Config } from '../../src/config.ts'
import { daemon, type TestDaemon } from './daemon.ts'
import { type FakeAgent, type FakeAgentOptions, fakeAgent } from './fake-agent.ts'

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
    fetch: (...args: Parameters<TestDaemon['fetch']>) => {
      if (running === undefined) throw new Error('nobody is there yet')
      return running.fetch(...args)
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
