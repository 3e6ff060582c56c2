import { expect, test } from 'vitest'
import { serializeLocal } from '../../../../src/io/store/journal/entry.ts'
import { Tables } from '../../../../src/io/store/tables/tables.ts'
import { LIMITS } from '../../../../src/protocol/limits.ts'
import { answer, stampAt } from '../entities.ts'

function answersAt(clock: { second: number }) {
  const tables = new Tables(() => stampAt(clock.second))
  const kept = () => tables.copyEntries().local.map(({ id }) => id)
  const put = (key: string) =>
    tables.apply(serializeLocal({ table: 'answer', id: key, value: answer(key, clock.second) }).entry)
  return { tables, kept, put }
}

test('an answer is found until its time is over, and is kept no longer', () => {
  const clock = { second: 0 }
  const { tables, kept, put } = answersAt(clock)
  put('first')
  clock.second = LIMITS.idempotencySeconds
  expect(tables.answers.get('first')).toEqual(answer('first', 0))

  clock.second += 1
  expect(tables.answers.get('first')).toBeUndefined()
  expect(kept()).toEqual([])

  put('other')
  expect(kept()).toEqual(['other'])
  expect(tables.answers.get('other')).toBeDefined()
})

test('an answer that is given again lives from then on', () => {
  const clock = { second: 0 }
  const { tables, put } = answersAt(clock)
  put('again')
  put('other')
  clock.second = 10
  put('again')
  clock.second = LIMITS.idempotencySeconds + 5
  put('sweeper')
  expect(tables.answers.get('again')).toBeDefined()
  expect(tables.answers.get('other')).toBeUndefined()
})

test('answers from a time when the clock was ahead are found, stop no other from being swept, and go after their time', () => {
  const clock = { second: 10 * LIMITS.idempotencySeconds }
  const { tables, kept, put } = answersAt(clock)
  put('ahead')
  put('also ahead')
  clock.second = 0
  put('usual')
  expect(tables.answers.get('ahead')).toBeDefined()

  clock.second = LIMITS.idempotencySeconds + 1
  put('next day')
  const [found, ...others] = ['next day', 'usual', 'ahead', 'also ahead'].map((key) =>
    tables.answers.get(key),
  )
  expect(found).toBeDefined()
  expect(others).toEqual([undefined, undefined, undefined])
  expect(kept()).toEqual(['next day'])
})

test('an answer that is stamped ahead when the store is opened counts from then', () => {
  const clock = { second: 0 }
  const { tables, put } = answersAt(clock)
  const later = answer('ahead', 10 * LIMITS.idempotencySeconds)
  tables.apply(serializeLocal({ table: 'answer', id: 'ahead', value: later }).entry)
  clock.second = LIMITS.idempotencySeconds
  expect(tables.answers.get('ahead')).toEqual(later)
  clock.second += 1
  put('sweeper')
  expect(tables.answers.get('ahead')).toBeUndefined()
})
