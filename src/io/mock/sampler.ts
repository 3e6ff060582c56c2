import type { GenerateOptions, JsonSchema } from 'json-schema-faker'
import type { Slot } from '../../domain/interface/model.ts'
import { standaloneOf } from '../../domain/interface/payload/standalone.ts'
import type { Fits } from '../../domain/mock/fits.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import { withinTime } from './time-limit.ts'

/** A value that fits a place of a contract; the same seed makes the same one. Undefined where none was found. */
export type Sampler = (slot: Slot, seed: number) => Json | undefined

const ATTEMPTS = 24
/** For one attempt, and for all of them. */
const MILLIS = 1000
const MOST_MILLIS = 2000
/** Longer texts and lists are asked for by nobody who wants to see an answer. */
const LONGEST = 10_000
const LOWER_BOUNDS = new Set(['minLength', 'minItems', 'minProperties'])

type Generate = (schema: JsonSchema, options: GenerateOptions) => unknown

export async function createSampler(fits: Fits): Promise<Sampler> {
  const { generateSync } = await import('json-schema-faker')
  return (slot, seed) => {
    if (slot.schema === null) return {}
    const { schema } = standaloneOf(slot.schema, slot.sender, slot.at)
    if (!isModest(schema)) return undefined
    const ready = withExamples(schema)
    const end = performance.now() + MOST_MILLIS
    for (let attempt = 0; attempt < ATTEMPTS && performance.now() < end; attempt++) {
      const value = generated(generateSync, ready, { seed: seed * ATTEMPTS + attempt, ...wishes(attempt) })
      if (value !== undefined && fits.value(slot, value)?.length === 0) return value
    }
    return undefined
  }
}

/** First all that may be there, and then less and less of it, because what goes in circles has to end. */
const wishes = (attempt: number): GenerateOptions => ({
  optionalsProbability: Math.max(0, 1 - attempt / (ATTEMPTS / 2)),
  useExamplesValue: attempt < ATTEMPTS / 2,
  maxDefaultItems: attempt < ATTEMPTS / 2 ? 2 : 0,
  refDepthMax: 3,
})

function generated(generate: Generate, schema: Json, options: GenerateOptions): Json | undefined {
  try {
    const made = () => JSON.stringify(generate(structuredClone(schema) as JsonSchema, options))
    const text = withinTime(made, MILLIS)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}

function isModest(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return (schema as readonly Json[]).every(isModest)
  if (!isJsonObject(schema)) return true
  return Object.entries(schema).every(
    ([key, value]) =>
      !(LOWER_BOUNDS.has(key) && typeof value === 'number' && value > LONGEST) && isModest(value),
  )
}

/** Keywords under which names stand, and not keywords. */
const NAMES = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/** `example`, as OpenAPI calls it, as the list that JSON Schema knows. */
function withExamples(schema: Json | undefined): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(withExamples)
  if (!isJsonObject(schema)) return schema ?? null
  const made = Object.entries(schema).map(([key, value]): [string, Json] => [
    key,
    NAMES.has(key) && isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withExamples(inner)]))
      : withExamples(value),
  ])
  const { example, examples } = schema
  return Object.fromEntries(
    example === undefined || examples !== undefined ? made : [...made, ['examples', [example]]],
  )
}
