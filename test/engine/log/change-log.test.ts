import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from '../../../src/domain/change.ts'
import { entityKey } from '../../../src/domain/entity.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'

const change = (id: number, seq: number, project_id = 'p'): Change => ({
  kind: 'packet',
  project_id,
  id: `e${id}`,
  seq,
  isWide: false,
})

test('no less is counted after a seq than is listed after it, and nothing where nothing came', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(30), { maxLength: 20 }),
      fc.array(fc.array(fc.nat(30), { maxLength: 8 }), { maxLength: 30 }),
      (initial, commits) => {
        let seq = 0
        const log = new ChangeLog(initial.map((id) => change(id, ++seq)))
        for (const commit of commits) log.record(commit.map((id) => change(id, ++seq)))
        for (let after = 0; after < seq; after++)
          expect(log.countAfter(after)).toBeGreaterThanOrEqual([...log.after(after)].length)
        for (let before = 0; before <= seq + 1; before++)
          expect([...log.before(before)]).toEqual(
            [...log.after(0)].filter((one) => one.seq < before).reverse(),
          )
        expect(log.countAfter(seq)).toBe(0)
        expect(log.size).toBe([...log.after(0)].length)
      },
    ),
  )
})

test('what was overtaken is tidied away before it is much more than what is listed', () => {
  const log = new ChangeLog([])
  for (let seq = 1; seq <= 5000; seq++) log.record([change((seq * 7) % 90, seq)])
  expect(log.size).toBe(90)
  expect(log.countAfter(0)).toBeLessThanOrEqual(2 * 90 + 1000)
  expect(log.countAfter(4990)).toBe(10)
  expect(log.countAfter(5000)).toBe(0)
})

test('what is read is each entity once, at its last change and in order, whenever reading begins', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(9), { maxLength: 10 }),
      fc.array(fc.nat(9), { maxLength: 30 }),
      fc.nat(40),
      fc.boolean(),
      (initial, ids, seen, isReadBefore) => {
        const all = [...initial, ...ids].map((id, index) => change(id, index + 1))
        const expected = all.filter(
          ({ id, seq }) => seq > seen && !all.some((other) => other.id === id && other.seq > seq),
        )
        const log = new ChangeLog(all.slice(0, initial.length).reverse())
        if (isReadBefore) log.countAfter(0)
        for (const one of all.slice(initial.length)) log.record([one])
        expect(log.seq).toBe(all.length)
        expect([...log.after(seen)]).toEqual(expected)
        for (const one of expected) expect(log.get(entityKey(one))).toEqual(one)
      },
    ),
  )
})

test('of a project it tells each entity once, at its last change', () => {
  const log = new ChangeLog([change(1, 1), change(2, 2), change(1, 3, 'other')])
  log.record([change(1, 4), change(3, 5)])
  expect([...log.within('p')]).toEqual([change(1, 4), change(2, 2), change(3, 5)])
  expect([...log.within('nobody')]).toEqual([])
  for (let seq = 6; seq < 3000; seq++) log.record([change(2, seq)])
  expect([...log.within('p')].map(({ seq }) => seq)).toEqual([4, 2999, 5])
})

test('somebody who is in the middle of reading misses nothing when the log is tidied', () => {
  const log = new ChangeLog([change(1, 1), change(2, 2), change(3, 3)])
  const reading = log.after(0)[Symbol.iterator]()
  expect(reading.next().value).toMatchObject({ id: 'e1' })
  for (let seq = 4; seq < 3000; seq++) log.record([change(2, seq)])
  expect(reading.next().value).toMatchObject({ id: 'e3' })
})
