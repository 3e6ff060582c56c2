import { expect, test } from 'vitest'
import { commonVersion } from '../../../src/protocol/chiffon/versions.ts'

test.each([
  [['1.0'], ['1.0', '2.0'], '1.0'],
  [['1.0', '2.0'], ['2.0', '1.0'], '1.0'],
  [['1.10', '1.9'], ['1.10', '1.9'], '1.9'],
  [['1.0'], ['2.0'], undefined],
  [['1.0'], [], undefined],
])('CH-07 %j with %j is %j', (ours, theirs, common) => {
  expect(commonVersion(ours, theirs)).toBe(common)
})
