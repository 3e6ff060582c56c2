import { describe, expect, test } from 'vitest'
import { readPair, usualPair, writePair } from '../../src/ui/screens/contract/reading.ts'

describe('the versions that are compared', () => {
  test.each([
    ['2..4', { from: 2, to: 4 }],
    ['4..2', { from: 4, to: 2 }],
    ['3', { from: undefined, to: 3 }],
  ])('%j of the address are read, and written as they were', (text, pair) => {
    expect(readPair(text, 5)).toEqual(pair)
    expect(writePair(pair)).toBe(text)
  })

  test.each([undefined, '', '0..1', '2..9', '2..2', '1..', 'x', '1..2..3', '-1..2'])(
    '%j says nothing',
    (text) => {
      expect(readPair(text, 5)).toBeUndefined()
    },
  )

  const contract = (version: number, answered: number[], inForce: number | null) =>
    ({
      version,
      responses: answered.map((one) => ({ repo_id: 'own', version: one })),
      inForce: inForce === null ? null : { version: inForce },
    }) as unknown as Parameters<typeof usualPair>[0]

  test.each([
    { version: 5, answered: [1, 3], inForce: 4, from: 3, because: 'what this repo answered last' },
    {
      version: 5,
      answered: [5],
      inForce: 4,
      from: 4,
      because: 'what is in force, once the newest is answered',
    },
    { version: 5, answered: [], inForce: null, from: 4, because: 'the version before' },
    { version: 5, answered: [], inForce: 5, from: 4, because: 'the version before' },
    { version: 1, answered: [], inForce: null, from: undefined, because: 'nothing' },
  ])('are the newest and $because', ({ version, answered, inForce, from }) => {
    expect(usualPair(contract(version, answered, inForce), 'own')).toEqual({ from, to: version })
  })
})
