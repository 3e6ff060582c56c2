import { expect, test } from 'vitest'
import { partsOf } from '../../../src/protocol/text/split.ts'

test('a long text is cut into pieces that make it up again, and no character is cut', () => {
  const text = 'a😀b😀😀c'
  for (const length of [1, 2, 3, 4, 5]) {
    const found = [...partsOf(text, length)]
    expect(found.join('')).toBe(text)
    if (length > 1) expect(found.every((piece) => piece.isWellFormed())).toBe(true)
  }
  expect([...partsOf('', 5)]).toEqual([])
})
