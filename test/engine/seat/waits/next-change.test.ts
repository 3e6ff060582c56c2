import { expect, test } from 'vitest'
import { createNextChange } from '../../../../src/engine/seat/waits/next-change.ts'
import { systemTimers } from '../../../../src/io/system/timers.ts'

const NEVER = new AbortController().signal
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one that waits alone is told at once', async () => {
  const next = createNextChange(systemTimers)
  let isTold = false
  void next.wait(NEVER, 60_000).then(() => {
    isTold = true
  })
  next.notify()
  await Promise.resolve()
  await Promise.resolve()
  expect(isTold).toBe(true)
})

test('many who wait are told in slices, with turns for all others between, and in as few rounds as do', async () => {
  const next = createNextChange(systemTimers)
  const rounds = new Map<number, number>()
  const ended = new AbortController()
  const follow = async (reader: number) => {
    while (!ended.signal.aborted) {
      await next.wait(ended.signal, 60_000)
      rounds.set(reader, (rounds.get(reader) ?? 0) + 1)
    }
  }
  const following = Array.from({ length: 500 }, (_, reader) => follow(reader))
  next.notify()
  await turn()
  expect(rounds.size).toBeLessThanOrEqual(100)
  // As fast as they come: far more often than anybody is told.
  let changes = 1
  while (rounds.size < 500) {
    next.notify()
    changes++
    await turn()
  }
  const told = [...rounds.values()].reduce((sum, one) => sum + one, 0)
  expect(told / 500).toBeLessThan(changes / 2)
  // The last change reaches everybody.
  const before = new Map(rounds)
  next.notify()
  await expect
    .poll(() => [...rounds].every(([reader, count]) => count > (before.get(reader) ?? 0)))
    .toBe(true)
  ended.abort()
  await Promise.all(following)
})

test('all are let go when it is closed', async () => {
  const next = createNextChange(systemTimers)
  const waiting = Array.from({ length: 200 }, () => next.wait(NEVER, 60_000))
  next.close()
  await Promise.all(waiting)
  expect(next.isClosed).toBe(true)
})
