import { expect, test } from 'vitest'
import { Refusals } from '../../../../src/engine/replicate/link/refusals.ts'
import { at } from '../../../domain/statements/at.ts'

const PEER = 'aid://example.com/peer@1.0.0'
const MANY = Array.from({ length: 150 }, (_, index) => `statement-${index}`)

function manyRefused(): Refusals {
  const refusals = new Refusals({ now: () => at(0) })
  for (const id of MANY) refusals.note(PEER, { id, reason: 'too much' })
  return refusals
}

test('of many refusals the newest are told, and all are counted', () => {
  const { count, newest } = manyRefused().of(PEER)
  expect(count).toBe(150)
  expect(newest.map(({ id }) => id)).toEqual(MANY.slice(-100))
})

test('what is refused again counts once, also when it is told no more', () => {
  const refusals = manyRefused()
  for (const id of MANY) refusals.note(PEER, { id, reason: 'too much' })
  expect(refusals.of(PEER).count).toBe(150)
})

test('what is taken after all counts no more, also when it was told no more', () => {
  const refusals = manyRefused()
  for (const id of MANY) refusals.takeBack(PEER, id)
  expect(refusals.of(PEER)).toEqual({ count: 0, newest: [] })
  expect(refusals.isEmpty(PEER)).toBe(true)
})

test('a text that is never taken stays refused, whatever becomes of another text of its id', () => {
  const refusals = new Refusals({ now: () => at(0) })
  refusals.note(PEER, { id: 'altered', reason: 'id is not the hash of what it says', isLasting: true })
  for (const id of MANY) refusals.note(PEER, { id, reason: 'too much' })
  refusals.takeBack(PEER, 'altered')
  expect(refusals.of(PEER).count).toBe(151)
})

test('more refusals than ids are kept of are still counted', () => {
  const refusals = new Refusals({ now: () => at(0) })
  for (let index = 0; index < 20_010; index++)
    refusals.note(PEER, { id: `statement-${index}`, reason: 'too much' })
  expect(refusals.of(PEER).count).toBe(20_010)
})
