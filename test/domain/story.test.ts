import { expect, it } from 'vitest'
import { agreed, implemented, negotiating, proposed, verified } from './story.ts'

it.each([
  ['proposed', proposed],
  ['negotiating', negotiating],
  ['agreed', agreed],
  ['implemented', implemented],
  ['verified', verified],
] as const)('tells a contract that is %s', (status, tell) => {
  expect(tell().contract.status).toBe(status)
})
