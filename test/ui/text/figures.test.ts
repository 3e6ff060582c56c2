import { expect, test } from 'vitest'
import { bytes, lasting } from '../../../src/ui/text/figures.ts'

test('a duration is told in its two largest units', () => {
  const seconds = [-1, 0, 59, 60, 35 * 60, 3600, 130 * 60, 86_400, 4575 * 60]
  expect(seconds.map(lasting)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min',
    '35 min',
    '1 h',
    '2 h 10 min',
    '1 d',
    '3 d 4 h',
  ])
})

test('a size is told in the largest unit that it fills', () => {
  expect([0, 1023, 1024, 5_500_000, 200 * 1024 * 1024, 3 * 1024 ** 5].map(bytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.0 KiB',
    '5.2 MiB',
    '200 MiB',
    '3072 TiB',
  ])
})
