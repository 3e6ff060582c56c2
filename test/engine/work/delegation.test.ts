import { expect, test } from 'vitest'
import type { Peer } from '../../../src/domain/model.ts'
import { createAgentBreaker } from '../../../src/engine/work/agent-breaker.ts'
import { createDelegation } from '../../../src/engine/work/delegation.ts'
import { DEFAULT_PROTOCOL } from '../../../src/engine/work/known-agents.ts'
import { newWork } from '../../../src/engine/work/new-work.ts'
import { WORK_RULES } from '../../../src/engine/work/rules.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { status, success } from '../../support/network/fake-agent.ts'
import { VirtualTime } from '../../support/simulated/virtual-time.ts'

const AGENT = 'aid://example.com/worker@1.0.0'
const ORDER = { peer: AGENT, workType: 'build', parameters: {}, hints: {}, customFields: {} }

/** Work for an agent that acknowledges every request with a work_status, and says nothing more in its answer. */
function acknowledgedWork() {
  const time = new VirtualTime()
  const peer = { agent_id: AGENT, repo_name: 'worker' } as Peer
  const work = newWork(ORDER, { peer, contract: null, askedBy: AGENT, clock: systemClock })
  const message = (type: string, payload: object) => ({
    protocol_version: '1.0',
    message_id: systemClock.newId(),
    from_agent: 'code',
    to_agent: 'orchestrator',
    timestamp: systemClock.now(),
    trace_id: work.trace_id,
    request_id: work.request_id,
    type,
    payload,
  })
  async function* acknowledgement() {
    yield message('work_status', status(work.work_id, 10))
  }
  let posts = 0
  const wire = {
    post: async () => {
      posts++
      return { status: 202, isStream: false, messages: acknowledgement() }
    },
  }
  const breaker = createAgentBreaker({ rules: WORK_RULES.breaker, timers: time, probe: async () => {} })
  const delegation = createDelegation(
    {
      wire,
      clock: systemClock,
      timers: time,
      rules: WORK_RULES,
      agents: {
        breakerOf: () => breaker,
        endpointOf: () => 'http://127.0.0.1:9',
        protocolOf: async () => DEFAULT_PROTOCOL,
        lastHeard: () => null,
        hear: () => {},
      },
      changed: () => {},
      ended: async (ended) => ended,
    },
    work,
  )
  const bring = (type: string, payload: object) => delegation.receive(message(type, payload))
  return { time, delegation, bring, taskId: work.work_id, posts: () => posts }
}

test('work whose agent tells by itself how far it is is sent once, however long it takes', async () => {
  const { time, delegation, bring, taskId, posts } = acknowledgedWork()
  const done = delegation.run()
  for (let minute = 1; minute <= 10; minute++) {
    await time.advance(29_000)
    await bring('work_status', status(taskId, 10 + minute))
  }
  expect(delegation.work).toMatchObject({ status: 'running', progress: 20 })
  await bring('work_result', success(taskId, 'done'))
  await done
  expect(delegation.work).toMatchObject({ status: 'completed', sends: 1, result: { output: 'done' } })
  expect(posts()).toBe(1)
})

test('an agent that acknowledges and is not heard of again is asked four times, each after 30 seconds', async () => {
  const { time, delegation, posts } = acknowledgedWork()
  const done = delegation.run()
  const sends: number[] = []
  for (const seconds of [29, 3, 32, 34, 30]) {
    await time.advance(seconds * 1000)
    sends.push(posts())
  }
  await done
  expect(sends).toEqual([1, 2, 3, 4, 4])
  expect(delegation.work).toMatchObject({ status: 'failed', sends: 4, error: { code: 5001 } })
})
