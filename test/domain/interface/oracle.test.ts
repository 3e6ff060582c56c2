import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { corpus } from '../../../bench/review/corpus.ts'
import type { Slot } from '../../../src/domain/interface/model.ts'
import { readInterface, reviewPair } from '../../../src/domain/interface/review.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/json/json.ts'
import { samplesOf, validatorOf } from '../../support/schema-samples.ts'
import { wholeSchema } from './laws/arbitrary-schemas.ts'
import { edit, edited } from './laws/edit-schema.ts'
import { differences } from './schema/differences.ts'

/** Pairs of schemas that are made at random. */
const RUNS = 600

/** A slot's schema as a schema by itself: with the definitions that it refers to. */
function standalone({ schema }: Slot): Json | undefined {
  if (schema === null || schema.schema === false) return undefined
  const { root } = schema.document
  const around: Record<string, Json> = {}
  for (const key of ['$defs', 'definitions', 'components', '$types'])
    if (isJsonObject(root) && root[key] !== undefined) around[key] = root[key]
  const whole: Json = { ...around, ...(isJsonObject(schema.schema) ? schema.schema : {}) }
  return withoutDialect(whole, schema.document.ignoresRefSiblings)
}

/** The validator knows one dialect; in the older ones nothing beside a reference counts. */
function withoutDialect(value: Json, ignoresRefSiblings: boolean): Json {
  if (Array.isArray(value)) return value.map((inner: Json) => withoutDialect(inner, ignoresRefSiblings))
  if (!isJsonObject(value)) return value
  const { $ref } = value
  if (ignoresRefSiblings && typeof $ref === 'string') return { $ref }
  const entries = Object.entries(value).filter(([key]) => key !== '$schema')
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, withoutDialect(inner ?? null, ignoresRefSiblings)]),
  )
}

/** What fits one schema and not the other; `checked` counts what was tried. */
function misfits(from: Json, to: Json): { wrong: unknown[]; checked: number } {
  const isValid = validatorOf(to)
  if (isValid === undefined) return { wrong: [], checked: 0 }
  const samples = samplesOf(from, { seeds: 40, most: 200 })
  return { wrong: samples.filter((value) => !isValid(value)), checked: samples.length }
}

describe('no value says otherwise', () => {
  test('of the pairs of the corpus that are judged compatible', () => {
    let [checked, slots] = [0, 0]
    for (const { form, name, type, before, after } of corpus()) {
      const isJudged = reviewPair(type, before, after).verdict === 'compatible'
      const isDirected = /readOnly|writeOnly/.test(JSON.stringify([before, after]))
      if (!isJudged || isDirected || form === 'graphql' || form === 'protobuf') continue
      const [olds, news] = [readInterface(type, before), readInterface(type, after)].map(
        ({ operations }) =>
          new Map(
            operations.flatMap(({ key, slots: own }) =>
              own.map((slot) => [`${key} ${slot.at}`, slot] as const),
            ),
          ),
      )
      for (const [at, old] of olds ?? []) {
        const now = news?.get(at)
        const [from, to] = [standalone(old), now === undefined ? undefined : standalone(now)]
        if (from === undefined || to === undefined || old.isText === true) continue
        const ways =
          old.sender === 'consumer'
            ? [[from, to]]
            : old.sender === 'provider'
              ? [[to, from]]
              : [
                  [from, to],
                  [to, from],
                ]
        for (const [one, other] of ways) {
          const found = misfits(one ?? true, other ?? true)
          expect({ form, name, at, wrong: found.wrong.slice(0, 2) }).toEqual({ form, name, at, wrong: [] })
          checked += found.checked
          slots++
        }
      }
    }
    expect(slots).toBeGreaterThan(100)
    expect(checked).toBeGreaterThan(5000)
  }, 240_000)

  test('of schemas that were changed at random and are judged not to narrow', () => {
    let [judged, checked] = [0, 0]
    fc.assert(
      fc.property(wholeSchema, edit, (before, one) => {
        const after: JsonObject = edited(before, one)
        const found = differences(before, after)
        if (found.length === 0 && JSON.stringify(before) === JSON.stringify(after)) return
        if (found.some(({ narrows }) => narrows !== 'no')) return
        judged++
        const isValid = validatorOf(after)
        if (isValid === undefined) return
        const samples = samplesOf(before, { seeds: 8, most: 40 }).filter(
          (value) => !hasUndeclared(value, after, before),
        )
        checked += samples.length
        expect(samples.filter((value) => !isValid(value))).toEqual([])
      }),
      { numRuns: RUNS, seed: 17 },
    )
    expect(judged).toBeGreaterThan(RUNS / 6)
    expect(checked).toBeGreaterThan(RUNS)
  }, 240_000)
})

/** Names that only the other schema declares are undeclared in this one, where they may have come from a map. */
function hasUndeclared(value: unknown, after: JsonObject, before: JsonObject): boolean {
  const [now, was] = [JSON.stringify(after), JSON.stringify(before)]
  const names = ['a', 'b', 'c', 'd', 'e', 'z'].filter(
    (name) => now.includes(`"${name}":`) && !was.includes(`"${name}":`),
  )
  return names.some((name) => JSON.stringify(value).includes(`"${name}":`))
}
