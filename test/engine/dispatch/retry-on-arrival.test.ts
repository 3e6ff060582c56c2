import { describe, expect, test } from 'vitest'
import { createRetryOnArrival } from '../../../src/engine/dispatch/retry-on-arrival.ts'
import { Fault } from '../../../src/protocol/fault.ts'

/** A store that says when something came, and a clock that runs out when told. */
function waiting() {
  const listeners: (() => void)[] = []
  const ends: (() => void)[] = []
  const patience = createRetryOnArrival({
    store: { onDurable: (listener) => listeners.push(() => listener([])) },
    timers: {
      millis: () => 0,
      after: (_millis, task) => {
        ends.push(task)
        return () => {}
      },
    },
    millis: 5000,
  })
  return {
    patience,
    somethingComes: () => {
      for (const listener of listeners) listener()
    },
    timeRunsOut: () => {
      for (const end of ends) end()
    },
  }
}

/** Fails so many times, and counts. */
function failing(times: number, fault: Fault) {
  const attempt = async () => {
    if (attempt.count++ < times) throw fault
    return 'done'
  }
  attempt.count = 0
  return attempt
}

const turn = () => new Promise(setImmediate)
const missing = new Fault('not_found', 'No project p here')

describe('a call that comes before what it is about', () => {
  test('is made again whenever something has come, until it can be', async () => {
    const { patience, somethingComes } = waiting()
    const attempt = failing(2, missing)
    const outcome = patience(attempt)
    await turn()
    expect(attempt.count).toBe(1)
    somethingComes()
    await turn()
    expect(attempt.count).toBe(2)
    somethingComes()
    expect(await outcome).toBe('done')
  })

  test('is refused in the same words when the time is over', async () => {
    const { patience, timeRunsOut } = waiting()
    const outcome = patience(failing(9, missing))
    await turn()
    timeRunsOut()
    await expect(outcome).rejects.toBe(missing)
  })

  test('is refused at once where nothing that comes can help, and where too many wait', async () => {
    const { patience, timeRunsOut } = waiting()
    const wrong = new Fault('invalid_params', 'projectId: required')
    await expect(patience(failing(9, wrong))).rejects.toBe(wrong)
    const many = Array.from({ length: 100 }, () => patience(failing(9, missing)))
    await turn()
    await expect(patience(failing(9, missing))).rejects.toBe(missing)
    timeRunsOut()
    for (const one of many) await expect(one).rejects.toBe(missing)
  })
})
