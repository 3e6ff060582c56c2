import { expect, test } from 'vitest'
import { createLocalChanges } from '../../../src/engine/seat/local-changes.ts'

/** Timers that go off when the test says so. */
function manualTimers() {
  const tasks: { millis: number; task: () => void }[] = []
  return {
    tasks,
    after: (millis: number, task: () => void) => {
      tasks.push({ millis, task })
      return () => {}
    },
    goOff: () => {
      for (const { task } of tasks.splice(0)) task()
    },
  }
}

const turns = () => new Promise<void>((resolve) => setImmediate(resolve))

test('what changes within a quarter of a second is told together, each part once', async () => {
  const timers = manualTimers()
  const local = createLocalChanges(timers)
  const leaving = new AbortController()
  const reader = local.follow(leaving.signal)[Symbol.asyncIterator]()
  const first = reader.next()
  await turns()
  local.note('peers', 'a')
  expect((await first).value).toEqual([{ table: 'peers', ids: ['a'] }])
  const second = reader.next()
  await turns()
  for (const id of ['b', 'c', 'b']) local.note('peers', id)
  local.noteStored([
    { table: 'invite', id: 'i' },
    { table: 'answer', id: 'of no interest' },
    { table: 'link', id: 'd' },
  ])
  await turns()
  expect(timers.tasks.map(({ millis }) => millis)).toEqual([250])
  timers.goOff()
  expect((await second).value).toEqual([
    { table: 'peers', ids: ['b', 'c', 'd'] },
    { table: 'invites', ids: ['i'] },
  ])
  leaving.abort()
  expect((await reader.next()).done).toBe(true)
})

test('very many changes name so many ids, and nobody who left is told anything', async () => {
  const timers = manualTimers()
  const local = createLocalChanges(timers)
  const leaving = new AbortController()
  const reader = local.follow(leaving.signal)[Symbol.asyncIterator]()
  const first = reader.next()
  await turns()
  for (let n = 0; n < 1000; n++) local.note('runs', `r${n}`)
  expect((await first).value?.[0]?.ids).toHaveLength(50)
  const last = reader.next()
  leaving.abort()
  local.note('runs', 'later')
  expect((await last).done).toBe(true)
})
