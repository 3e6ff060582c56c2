import { expect, test } from 'vitest'
import { describeDiff, differencesOf } from '../../../src/domain/contract/json-diff.ts'
import type { Json } from '../../../src/protocol/json/json.ts'

test.each<{ before: Json; after: Json; told: string }>([
  { before: { a: 1 }, after: { a: 1 }, told: '' },
  { before: { a: { b: [1, { c: null }] } }, after: { a: { b: [1, { c: null }] } }, told: '' },
  { before: { path: '/a' }, after: { path: '/b' }, told: '~path' },
  { before: {}, after: { response: { avatar: 'string' } }, told: '+response' },
  {
    before: { response: { id: 'int' } },
    after: { response: { id: 'int', avatar: 's' } },
    told: '+response.avatar',
  },
  { before: { b: 1, a: 1, c: 1 }, after: { c: 2, d: 1 }, told: '+d -a -b ~c' },
  { before: { roles: ['a', 'b'] }, after: { roles: ['a', 'c', 'd'] }, told: '+roles[2] ~roles[1]' },
  { before: { roles: ['a', 'b'] }, after: { roles: [] }, told: '-roles[0] -roles[1]' },
  { before: { a: [1] }, after: { a: { 0: 1 } }, told: '~a' },
  { before: { a: null }, after: { a: {} }, told: '~a' },
  { before: { '10': 1, '9': 1 }, after: {}, told: '-10 -9' },
  { before: JSON.parse('{"__proto__": 1}'), after: {}, told: '-__proto__' },
  { before: 'a', after: 'b', told: '~everything' },
  { before: { roles: ['a', 'b'] }, after: { roles: ['new', 'a', 'b'] }, told: '+roles[0]' },
  {
    before: { fields: [{ name: 'id' }, { name: 'email', type: 'string' }] },
    after: { fields: [{ name: 'email', type: 'null' }] },
    told: '-fields[0] ~fields[0].type',
  },
])('$before and $after differ in "$told"', ({ before, after, told }) => {
  expect(describeDiff(before, after)).toBe(told)
})

test('the order of keys does not matter', () => {
  expect(describeDiff({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 })).toBe('')
})

test('very many differences are cut, and very much that is equal is not looked through', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))
  const told = describeDiff({}, many).split(' ')
  expect(told).toHaveLength(21)
  expect(told.at(-1)).toBe('…')
  const long = Array.from({ length: 20_000 }, (_, index) => index)
  expect(describeDiff([...long, 'a'], [...long, 'b'])).toBe('…')
})

test('the same walk tells both values of each difference, of as many as a content can have', () => {
  const before = { list: Array.from({ length: 1500 }, (_, id) => ({ id, on: true })) }
  const after = { list: before.list.map(({ id }) => ({ id, on: id % 2 === 0 })) }
  const { differences, isCut } = differencesOf(before, after)
  expect([differences.length, isCut]).toEqual([750, false])
  expect(differences[0]).toEqual({ mark: '~', path: 'list[1].on', before: true, after: false })
  const many = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`k${index}`, index]))
  expect(differencesOf({}, many)).toMatchObject({ isCut: true, differences: { length: 2000 } })
})

test('lists that were made to be compared long are given up on soon', () => {
  const lists = (shift: number) =>
    Array.from({ length: 100 }, (_, list) =>
      Array.from({ length: 500 }, (_, index) => ((index * 7919 + shift * list) % 500) + shift),
    )
  const begun = performance.now()
  describeDiff(lists(1), lists(2))
  expect(performance.now() - begun).toBeLessThan(2000)
})
