import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type Merged,
  mergeContract,
  mergePacket,
  mergeProject,
  mergeReceipt,
  mergeRepo,
} from '../../src/domain/merge.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { anyContract, anyPacket, anyProject, anyReceipt, anyRepo } from './arbitraries.ts'
import { frozen } from './builders.ts'

/** Replicas that saw the same things in any order, any number of times, are equal. */

describe('merging projects', () => obeysTheLaws(anyProject, mergeProject))
describe('merging repos', () => obeysTheLaws(anyRepo, mergeRepo))
describe('merging contracts', () => obeysTheLaws(anyContract, mergeContract))
describe('merging packets', () => obeysTheLaws(anyPacket, mergePacket))
describe('merging receipts', () => obeysTheLaws(anyReceipt, mergeReceipt))
describe('merging receipts that have no room for all', () =>
  obeysTheLaws(anyReceipt, (local, incoming) => mergeReceipt(local, incoming, 3)))

/** The laws share their cases, because a merge of contracts is the dearest thing in this suite. */
function obeysTheLaws<T>(anyState: fc.Arbitrary<T>, merge: (local: T, incoming: T) => Merged<T>): void {
  const join = (a: T, b: T): T => merge(a, b).value

  test('is commutative, associative, idempotent and order-independent, and tells news from no news', () => {
    fc.assert(
      fc.property(anyState, anyState, anyState, (a, b, c) => {
        const ab = merge(a, b)
        const ba = join(b, a)
        const all = join(ab.value, c)
        law('it does not matter who asks whom', same(ab.value, ba))
        law('it does not matter which two met first', same(all, join(a, join(b, c))))
        law('nor in which order three are heard', same(all, join(c, ba)))
        law('nothing is learnt from oneself', !merge(a, { ...a }).changed)
        law('"changed" means that the left side is not as before', ab.changed === !same(ab.value, a))
        law('without news the left side stays the very same object', ab.changed || ab.value === a)
        law('the same news is news only once', !merge(ab.value, b).changed)
      }),
      { numRuns: 10_000 },
    )
  }, 120_000)

  test('gives up to six replicas the same state in whatever order they are heard, and changes none', () => {
    const severalInTwoOrders = fc
      .array(anyState.map(frozen), { minLength: 4, maxLength: 6 })
      .chain((states) =>
        fc.tuple(fc.constant(states), fc.shuffledSubarray(states, { minLength: states.length })),
      )
    fc.assert(
      fc.property(severalInTwoOrders, ([states, shuffled]) =>
        same(states.reduce(join), shuffled.reduceRight(join)),
      ),
      { numRuns: 500 },
    )
  })
}

function law(name: string, holds: boolean): void {
  if (!holds) throw new Error(`broken law: ${name}`)
}

/** Equal canonical text; deep equality is only a short cut to the same answer. */
const same = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(a, b) || canonicalText(a) === canonicalText(b)
