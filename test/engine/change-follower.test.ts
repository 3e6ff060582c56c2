import { describe, expect, test } from 'vitest'
import { packetChange } from '../../src/domain/change.ts'
import { ChangeFollower } from '../../src/engine/change-follower.ts'
import { ChangeLog } from '../../src/engine/change-log.ts'
import type { SequencedChange } from '../../src/engine/ports.ts'
import { packet } from '../domain/builders.ts'

const changed = (id: string, seq: number): SequencedChange => ({
  ...packetChange('p1', packet({ packet_id: id })),
  seq,
})

function following(log: ChangeLog, pause: () => Promise<void> = async () => {}) {
  const taken: string[] = []
  const take = ({ id, seq }: SequencedChange) => void taken.push(`${id}@${seq}`)
  return { taken, follower: new ChangeFollower({ log, pause, take }) }
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
    const follower = new ChangeFollower({
      log: new ChangeLog([changed('a', 1), changed('b', 2)]),
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
})
