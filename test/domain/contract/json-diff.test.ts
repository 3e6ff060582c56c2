import { expect, test } from 'vitest'
import { describeDiff } from '../../../src/domain/contract/json-diff.ts'
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
