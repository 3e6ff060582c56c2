import { Budget } from '../../../../src/domain/interface/budget.ts'
import type { Difference, Sender } from '../../../../src/domain/interface/model.ts'
import { comparisonOf } from '../../../../src/domain/interface/schema/compare.ts'
import { sameSchemas } from '../../../../src/domain/interface/schema/same-schemas.ts'
import { located } from '../../../../src/domain/interface/schema/source.ts'
import type { Json } from '../../../../src/protocol/json/json.ts'

export function differences(before: Json, after: Json, sender: Sender = 'both'): readonly Difference[] {
  const budget = new Budget()
  const comparison = comparisonOf(budget, { sender, isText: false, areSame: sameSchemas(budget) })
  return comparison.differences([located(before)], [located(after)])
}

/** The same where nothing is seen to be the same without a comparison. */
export function differencesInFull(before: Json, after: Json): readonly Difference[] {
  const areSame = () => false
  const comparison = comparisonOf(new Budget(), { sender: 'both', isText: false, areSame })
  return comparison.differences([located(before)], [located(after)])
}

/** `kind narrows/widens` of each, with its path where it has one. */
export const told = (found: readonly Difference[]): string[] =>
  found.map(({ path, kind, narrows, widens }) => `${path} ${kind} ${narrows}/${widens}`.trim()).sort()

export const text = { type: 'string' }
export const person = { type: 'object', properties: { name: text, email: text }, required: ['name'] }
