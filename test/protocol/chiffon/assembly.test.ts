import { expect, test } from 'vitest'
import { Assembly } from '../../../src/protocol/chiffon/assembly.ts'

const MIB = 1024 * 1024

test('pieces that overlap are not kept without end, and the output is put together of those that are', () => {
  const assembly = new Assembly()
  const text = 'x'.repeat(4 * MIB)
  for (let start = 0; start < 100; start++)
    assembly.add(`bytes ${start}-${start + 4 * MIB} of ${8 * MIB}`, text)
  expect(assembly.missing()).toEqual([{ start: 4 * MIB + 15, end: 8 * MIB }])
})
