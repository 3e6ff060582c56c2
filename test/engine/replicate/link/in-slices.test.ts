import { expect, test } from 'vitest'
import type { Call } from '../../../../src/engine/dispatch/call.ts'
import { inSlices } from '../../../../src/engine/replicate/link/in-slices.ts'

test('others get their turn also while very many calls of a peer are refused at once', async () => {
  let pauses = 0
  const refuse = () => Promise.reject(new Error('no'))
  const dispatch = inSlices(refuse, async () => {
    pauses++
  })
  for (let calls = 0; calls < 1000; calls++) await expect(dispatch({} as Call)).rejects.toThrow('no')
  expect(pauses).toBe(10)
})
