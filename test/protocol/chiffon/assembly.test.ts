import { expect, test } from 'vitest'
import { Assembly } from '../../../src/protocol/chiffon/assembly.ts'

const MIB = 1024 * 1024

test('pieces that overlap take no more room than the output that they are of', () => {
  const assembly = new Assembly()
  const text = 'x'.repeat(MIB)
  for (let start = 0; start < 20; start++) assembly.add(`bytes ${start}-${start + MIB} of ${2 * MIB}`, text)
  expect(assembly.missing()).toEqual([{ start: MIB + 19, end: 2 * MIB }])
})

test('an output that comes in more pieces than anybody sends is a problem', () => {
  const assembly = new Assembly()
  for (let at = 0; at < 1001; at++) assembly.add(`bytes ${2 * at}-${2 * at + 1} of 5000`, 'x')
  expect(assembly.problem).toMatch(/more than 1000 pieces/)
})
