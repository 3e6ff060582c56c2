import fc from 'fast-check'
import { describe, test } from 'vitest'
import { diffInterfaces } from '../../../../src/domain/interface/judge/diff-interfaces.ts'
import { verdictOf } from '../../../../src/domain/interface/judge/verdict.ts'
import type { Difference, Interface, Verdict } from '../../../../src/domain/interface/model.ts'
import { readInterface } from '../../../../src/domain/interface/review.ts'
import type { Json, JsonObject } from '../../../../src/protocol/json/json.ts'
import { differences, differencesInFull, told } from '../schema/differences.ts'
import { constrained, wholeSchema } from './arbitrary-schemas.ts'
import { edit, edited } from './edit-schema.ts'
import { inWords, wordable } from './in-words.ts'
import { REWRITES, reorder, stream } from './rewrite-schema.ts'

/** Cases of each law. */
const RUNS = { numRuns: 10_000, seed: 17 }
const LONG = 600_000
const WAYS = ['request', 'response'] as const

/** The verdicts where consumers alone send it, and where the provider alone does. */
interface Judged {
  readonly request: Verdict
  readonly response: Verdict
}

const judgedBy = (found: readonly Difference[]): Judged => {
  const sentBy = (sender: 'consumer' | 'provider') =>
    found.map((one) => ({ ...one, at: one.path, sender, say: '', fingerprint: '' }))
  return {
    request: verdictOf(sentBy('consumer'), 'consumer').verdict,
    response: verdictOf(sentBy('provider'), 'consumer').verdict,
  }
}

const judged = (before: Json, after: Json): Judged => judgedBy(differences(before, after))

/** The same through the reader of contracts, which reads words too. */
const judgedModels = (before: Interface, after: Interface): Judged =>
  judgedBy(diffInterfaces(before, after).map((change) => ({ ...change, path: change.at })))

const clone = (schema: JsonObject): JsonObject => structuredClone(schema) as JsonObject

describe('laws of the comparison', () => {
  test(
    'nothing differs from itself',
    () => {
      fc.assert(
        fc.property(wholeSchema, (schema) => {
          return differencesInFull(schema, clone(schema)).length === 0
        }),
        RUNS,
      )
    },
    LONG,
  )

  test(
    'what is written the same need not be compared',
    () => {
      fc.assert(
        fc.property(wholeSchema, edit, (before, one) => {
          const after = edited(before, one)
          const [short, full] = [differences(before, after), differencesInFull(before, after)].map(told)
          return short?.join() === full?.join()
        }),
        RUNS,
      )
    },
    LONG,
  )

  test(
    'another way to write the same changes nothing',
    () => {
      fc.assert(
        fc.property(wholeSchema, fc.nat(), fc.nat(REWRITES.length - 1), (schema, seed, index) => {
          const rewrite = REWRITES[index] ?? reorder
          const written = rewrite(clone(schema), stream(seed))
          return differences(schema, written).length === 0 && differences(written, schema).length === 0
        }),
        RUNS,
      )
    },
    LONG,
  )

  test(
    'a verdict does not depend on how both sides are written',
    () => {
      fc.assert(
        fc.property(wholeSchema, edit, fc.nat(), (before, one, seed) => {
          const after = edited(before, one)
          const [left, right] = [
            reorder(clone(before), stream(seed)),
            reorder(clone(after), stream(seed + 1)),
          ]
          const [first, second] = [judged(left, right), judged(before, after)]
          return first.request === second.request && first.response === second.response
        }),
        RUNS,
      )
    },
    LONG,
  )

  test(
    'a request from one to the other is judged as a response the other way, where only constraints change',
    () => {
      fc.assert(
        fc.property(constrained, constrained, (one, other) => {
          const [a, b] = [one, other].map((value) => ({
            type: 'object',
            properties: { value },
            required: ['value'],
          }))
          return judged(a ?? true, b ?? true).request === judged(b ?? true, a ?? true).response
        }),
        RUNS,
      )
    },
    LONG,
  )

  test(
    'what is written in type words is judged as the schema is, or not at all, and never the opposite',
    () => {
      fc.assert(
        fc.property(wordable, wordable, (one, other) => {
          const [before, after, ...words] = [one, other, inWords(one), inWords(other)].map((schema) =>
            readInterface('data_model', { schema }),
          ) as [Interface, Interface, Interface, Interface]
          const formal = judgedModels(before, after)
          return [judgedModels(words[0], words[1]), judgedModels(before, words[1])].every((said) =>
            WAYS.every((way) => said[way] === formal[way] || said[way] === 'unknown'),
          )
        }),
        RUNS,
      )
    },
    LONG,
  )
})
