import { expect, test } from 'vitest'
import { createBootIds } from '../../../../src/engine/replicate/peer/boot-ids.ts'
import { Clocks } from '../../../../src/engine/replicate/peer/clocks.ts'
import { createGreeting, type GreetingDeps } from '../../../../src/engine/replicate/peer/greeting.ts'
import type { JsonObject } from '../../../../src/protocol/json/json.ts'
import { stampOfMillis } from '../../../../src/protocol/stamp.ts'

const PEER = { agent_id: 'aid://example.com/frontend@1.0.0', repo_name: 'frontend-app' }
const TEN_MINUTES = 600_000

/** With a peer whose clock is ten minutes behind, and that answers when it is told to. */
function greeting() {
  const now = () => stampOfMillis(TEN_MINUTES)
  const clocks = new Clocks()
  let answer: (given: JsonObject) => void = () => {}
  let millis = 0
  const made = createGreeting({
    self: { storeId: 's' },
    peer: PEER,
    conversation: { call: () => new Promise<JsonObject>((resolve) => (answer = resolve)) },
    clock: { now },
    timers: { millis: () => millis },
    bootId: 'ours',
    clocks,
    bootIds: createBootIds({ now, millis: 1000 }),
  } as unknown as GreetingDeps)
  return {
    made,
    clocks,
    pass: (more: number) => {
      millis += more
    },
    answer: () => answer({ now: stampOfMillis(0), bootId: 'theirs' }),
  }
}

test('a peer whose clock is far behind is warned of until the exchange with it ends', async () => {
  const { made, clocks, answer } = greeting()
  const greeted = made.make()
  answer()
  await greeted
  expect(clocks.warnings()).toEqual([expect.stringContaining('600 s ahead of that of frontend-app')])
  made.end()
  expect(clocks.warnings()).toEqual([])
})

test('a peer that answers after the end is not warned of: nobody would ever take that back', async () => {
  const { made, clocks, answer } = greeting()
  const greeted = made.make()
  made.end()
  answer()
  await greeted
  expect(clocks.warnings()).toEqual([])
  expect(clocks.hint).toBeUndefined()
})

test('the clock of a peer goes on from what it showed at most since it was asked, whatever ours does', async () => {
  const { made, pass, answer } = greeting()
  expect(made.theirNow()).toBeUndefined()
  const greeted = made.make()
  pass(20)
  answer()
  await greeted
  expect(made.theirNow()).toBe(stampOfMillis(20))
  pass(1000)
  expect(made.theirNow()).toBe(stampOfMillis(1020))
})
