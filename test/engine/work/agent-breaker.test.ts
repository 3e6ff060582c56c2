import { describe, expect, test } from 'vitest'
import { createAgentBreaker } from '../../../src/engine/work/agent-breaker.ts'
import { WORK_RULES } from '../../../src/engine/work/rules.ts'

/** Time that passes when the test says so. */
function breakerAt(probe: () => Promise<unknown>) {
  let now = 0
  const due = new Map<() => void, number>()
  const timers = {
    millis: () => 0,
    after: (millis: number, task: () => void) => {
      due.set(task, now + millis)
      return () => due.delete(task)
    },
  }
  const breaker = createAgentBreaker({ rules: WORK_RULES.breaker, timers, probe })
  const pass = (seconds: number) => {
    now += seconds * 1000
    for (const [task, at] of due) {
      if (at > now) continue
      due.delete(task)
      task()
    }
  }
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) breaker.fail()
  }
  return { breaker, pass, fail }
}

describe('the breaker of an agent', () => {
  test('CH-20 opens with the fifth failure in a row, for 60 seconds', async () => {
    let probes = 0
    const { breaker, pass, fail } = breakerAt(async () => void probes++)
    fail(4)
    expect(await breaker.admits()).toBe(true)
    fail(1)
    expect(await breaker.admits()).toBe(false)
    pass(59)
    expect(await breaker.admits()).toBe(false)
    expect(probes).toBe(0)
    pass(1)
    expect(await breaker.admits()).toBe(true)
    expect(probes).toBe(1)
    fail(4)
    expect(await breaker.admits()).toBe(true)
    expect(probes).toBe(1)
  })

  test('CH-20 opens for another 60 seconds when the agent is not healthy', async () => {
    let probes = 0
    const { breaker, pass, fail } = breakerAt(() => {
      probes++
      return Promise.reject(new Error('gone'))
    })
    fail(5)
    pass(60)
    expect(await Promise.all([breaker.admits(), breaker.admits()])).toEqual([false, false])
    expect(probes).toBe(1)
    pass(59)
    expect(await breaker.admits()).toBe(false)
    expect(probes).toBe(1)
    pass(1)
    expect(await breaker.admits()).toBe(false)
    expect(probes).toBe(2)
  })

  test('CH-21 begins to count anew after a success', async () => {
    const { breaker, fail } = breakerAt(async () => {})
    fail(4)
    breaker.succeed()
    fail(4)
    expect(await breaker.admits()).toBe(true)
  })

  test('closes with a success of work that was under way', async () => {
    const { breaker, fail } = breakerAt(async () => {})
    fail(7)
    breaker.succeed()
    expect(await breaker.admits()).toBe(true)
  })
})
