import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { Budget, TooLarge } from '../budget.ts'
import { locatedIn, openContent } from '../forms/content.ts'
import type { Interface, Slot } from '../model.ts'
import { keyOf } from '../schema/source.ts'
import { type Standalone, standaloneOf } from './standalone.ts'

/** One place of a contract where a value crosses, with the schema of such values. */
export interface Part extends Standalone {
  /** Such as `response.200.body`. */
  readonly at: string
}

/** The part that is named by its place, or by a path into the content such as `response.schema`. */
export function partAt({ operations, content }: Interface, at: string): Part | undefined {
  for (const { prefix, slots } of operations)
    for (const slot of slots) if (`${prefix}${slot.at}` === at) return partOf(at, slot)
  if (!isJsonObject(content)) return undefined
  const found = at.split('.').reduce<Json | undefined>(inside, content)
  if (!isJsonObject(found)) return undefined
  try {
    return { at, ...standaloneOf(locatedIn(openContent(content, new Budget()), found, at), 'both', at) }
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** The places of what is sent as a whole: no single parameters or headers, and no answers that tell of an error. */
export const mainParts = ({ operations }: Interface): readonly string[] =>
  operations.flatMap(({ prefix, slots }) =>
    slots
      .filter(({ schema, isText, at }) => schema !== null && isText !== true && !IS_ERROR.test(at))
      .map(({ at }) => `${prefix}${at}`),
  )

const IS_ERROR = /^response\.(?:[45]|default\b|error-)/

const partOf = (at: string, { schema, sender }: Slot): Part | undefined =>
  schema === null ? undefined : { at, ...standaloneOf(schema, sender, at) }

const inside = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) ? keyOf(value as JsonObject, key) : undefined
