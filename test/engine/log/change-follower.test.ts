import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import { createChangeFollower } from '../../../src/engine/log/change-follower.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import type { Store, Timers } from '../../../src/engine/ports/ports.ts'
import { createBackground } from '../../../src/engine/timing/background-tasks.ts'

const changed = (id: string, seq: number, given: Partial<Change> = {}): Change => ({
  kind: 'packet',
  project_id: 'p1',
  id,
  seq,
  isWide: false,
  ...given,
})

/** Everything that can be seen is on disk. */
const store = { commit: async (decide: () => unknown) => decide() } as unknown as Pick<Store, 'commit'>

function following(log: ChangeLog, pause: () => Promise<void> = async () => {}) {
  const taken: string[] = []
  const take = ({ id, seq }: Change) => void taken.push(`${id}@${seq}`)
  return { taken, follower: createChangeFollower({ log, store, pause, take }) }
}

describe('what follows the log', () => {
  test('takes nothing before it is asked', async () => {
    const { taken, follower } = following(new ChangeLog([changed('a', 1)]))
    expect({ taken, seq: follower.seq }).toEqual({ taken: [], seq: 0 })
  })

  test('takes every entity at its last change, oldest change first, and afterwards only what is new', async () => {
    const log = new ChangeLog([changed('b', 2), changed('a', 1)])
    const { taken, follower } = following(log)
    log.record([changed('a', 3)])
    await follower.catchUp()
    expect(taken.splice(0)).toEqual(['b@2', 'a@3'])
    await follower.catchUp()
    expect(taken).toEqual([])
    log.record([changed('c', 4), changed('b', 5)])
    await follower.catchUp()
    expect(taken).toEqual(['c@4', 'b@5'])
    expect(follower.seq).toBe(5)
  })

  test('lets others have their turn, misses nothing that changes meanwhile, and works once for all who ask', async () => {
    const log = new ChangeLog(Array.from({ length: 250 }, (_, index) => changed(`k${index}`, index + 1)))
    let pauses = 0
    const { taken, follower } = following(log, async () => {
      if (++pauses === 1) log.record([changed('k249', 251), changed('k0', 252)])
    })
    await Promise.all([follower.catchUp(), follower.catchUp()])
    await follower.catchUp()
    expect(pauses).toBe(2)
    expect(taken).toHaveLength(251)
    expect(taken.slice(-2)).toEqual(['k249@251', 'k0@252'])
  })

  test('lets others have their turn in the middle of a change that is much work', async () => {
    const steps: string[] = []
    const follower = createChangeFollower({
      log: new ChangeLog([changed('a', 1), changed('b', 2)]),
      store,
      pause: async () => void steps.push('pause'),
      take: function* ({ id }) {
        for (const piece of [1, 2]) {
          steps.push(`${id}${piece}`)
          yield 60
        }
      },
    })
    await follower.catchUp()
    expect(steps).toEqual(['a1', 'a2', 'pause', 'b1', 'b2', 'pause'])
  })

  test('passes over a change that it cannot take in, tells why, and takes in all others', async () => {
    const log = new ChangeLog([changed('a', 1), changed('bad', 2), changed('c', 3)])
    const taken: string[] = []
    const failures: unknown[] = []
    const cause = new TypeError('cannot take this')
    const follower = createChangeFollower({
      log,
      store,
      pause: async () => {},
      take: ({ id }) => {
        if (id === 'bad') throw cause
        taken.push(id)
      },
      failed: (error) => void failures.push(error),
    })
    await follower.catchUp()
    expect({ taken, failures, seq: follower.seq }).toEqual({ taken: ['a', 'c'], failures: [cause], seq: 3 })
  })
})

describe('where who speaks for whom has changed', () => {
  const wide = (seq: number) => changed('api', seq, { kind: 'repo', isWide: true })

  test('everything in that project is looked at again, once, and nothing elsewhere', async () => {
    const log = new ChangeLog([changed('a', 1), changed('b', 2), changed('else', 3, { project_id: 'p2' })])
    const { taken, follower } = following(log)
    await follower.catchUp()
    taken.splice(0)
    log.record([wide(4), changed('a', 5), wide(6)])
    await follower.catchUp()
    expect(taken).toEqual(['a@5', 'api@6', 'b@2'])
  })

  test('what was not looked at before is looked at once', async () => {
    const { taken, follower } = following(new ChangeLog([changed('a', 1), wide(2), changed('b', 3)]))
    await follower.catchUp()
    expect(taken).toEqual(['a@1', 'api@2', 'b@3'])
  })

  test('others have their turn while a large project is looked at again', async () => {
    const log = new ChangeLog(Array.from({ length: 250 }, (_, index) => changed(`k${index}`, index + 1)))
    let pauses = 0
    const { taken, follower } = following(log, async () => void pauses++)
    await follower.catchUp()
    expect(pauses).toBe(2)
    log.record([wide(251)])
    await follower.catchUp()
    expect({ pauses, taken: taken.length }).toEqual({ pauses: 4, taken: 501 })
  })
})

test('what was taken back while it was looked at is looked at again', async () => {
  let failures = 1
  // A write that fails makes those who only read look once more, at what is left.
  const failing = {
    commit: async (decide: () => unknown) => {
      decide()
      if (failures-- > 0) decide()
    },
  } as unknown as Pick<Store, 'commit'>
  const taken: string[] = []
  const log = new ChangeLog([changed('a', 1), changed('b', 2)])
  const follower = createChangeFollower({
    log,
    store: failing,
    pause: async () => {},
    take: ({ id }) => void taken.push(id),
  })
  await follower.catchUp()
  expect(taken).toEqual(['a', 'b', 'a', 'b'])
})

describe('what is taken in before anybody asks', () => {
  /** Every change takes a millisecond, and rests end when they are told to. */
  function warming(changes: number, share: number) {
    let now = 0
    const rests: number[] = []
    let endRest = () => {}
    const timers: Timers = {
      millis: () => now,
      after: (millis, task) => {
        rests.push(millis)
        endRest = task
        return () => {
          endRest = () => {}
        }
      },
    }
    const log = new ChangeLog(Array.from({ length: changes }, (_, index) => changed(`k${index}`, index + 1)))
    let taken = 0
    let pauses = 0
    const follower = createChangeFollower({
      log,
      store,
      pause: async () => void pauses++,
      take: () => {
        now++
        taken++
      },
    })
    const background = createBackground(timers, share)
    return {
      log,
      follower,
      background,
      rests,
      counts: () => ({ taken, pauses }),
      endRest: async () => {
        endRest()
        await turn()
      },
      end: follower.warmUp(background),
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('takes its share of the time and no more, in short slices', async () => {
    const { rests, counts, endRest, end, follower } = warming(100, 0.1)
    await turn()
    while (follower.seq === 0) {
      expect(counts().taken).toBeLessThanOrEqual(20 * rests.length)
      await endRest()
    }
    await end
    expect(counts()).toEqual({ taken: 100, pauses: 0 })
    // Nine times as long as was worked before each of them.
    expect(rests.filter((millis) => millis > 0)).toEqual(Array(5).fill(180))
  })

  test('is gone on with at once when somebody asks', async () => {
    const { rests, counts, end, follower } = warming(1000, 0.1)
    await turn()
    expect(counts().taken).toBeLessThan(100)
    await follower.catchUp()
    await end
    expect(counts().taken).toBe(1000)
    expect(rests.length).toBeLessThan(5)
  })

  test('goes no further after its end, and whoever asks is answered all the same', async () => {
    const { background, counts, follower } = warming(1000, 0.1)
    await turn()
    background.end()
    const { taken } = counts()
    await turn()
    expect(counts().taken).toBe(taken)
    await follower.catchUp()
    expect(counts().taken).toBe(1000)
  })
})
