import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { generateSync } from 'json-schema-faker'
import type { Json, JsonObject } from '../../src/protocol/json/json.ts'

/** Whether a value fits a schema; by a validator that knows nothing of our reading. */
export type Validator = (value: unknown) => boolean

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false })
formats.default(ajv)

/** Undefined of a schema that the validator does not take. */
export function validatorOf(schema: Json): Validator | undefined {
  try {
    const validate = ajv.compile(schema as JsonObject)
    ajv.removeSchema(schema as JsonObject)
    return (value) => validate(value) === true
  } catch {
    return undefined
  }
}

/** Values that fit a schema, made from seeds and from small changes of those; only of what the schema declares. */
export function samplesOf(
  schema: Json,
  { seeds, most }: { seeds: number; most: number },
): readonly unknown[] {
  const isValid = validatorOf(schema)
  if (isValid === undefined) return []
  const found = new Map<string, unknown>()
  const keep = (value: unknown) => {
    if (value !== undefined && found.size < most && isValid(value)) found.set(JSON.stringify(value), value)
  }
  for (let seed = 1; seed <= seeds; seed++) {
    const made = generated(schema, seed)
    keep(made)
    for (const changed of changesOf(made)) keep(changed)
  }
  for (const value of EDGES) keep(value)
  return [...found.values()]
}

function generated(schema: Json, seed: number): unknown {
  try {
    return generateSync(structuredClone(schema) as JsonObject, { seed, optionalsProbability: (seed % 4) / 3 })
  } catch {
    return undefined
  }
}

const EDGES: readonly unknown[] = [null, true, false, 0, 1, -1, 1.5, 100, '', 'a', 'abcdef', [], {}]

/** Values beside a value: without a property, without an element, at another edge. */
function changesOf(value: unknown, depth = 0): unknown[] {
  if (depth > 3) return []
  if (typeof value === 'number') return [value + 1, value - 1, value * 10, 0, null]
  if (typeof value === 'string') return ['', `${value}${value}`, value.slice(1), null]
  if (Array.isArray(value))
    return [
      [],
      value.slice(1),
      [...value, ...value.slice(0, 1)],
      ...changesOf(value[0], depth + 1).map((first) => [first, ...value.slice(1)]),
    ]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const { [key]: _, ...rest } = value as Record<string, unknown>
    return [rest, ...changesOf(inner, depth + 1).map((changed) => ({ ...rest, [key]: changed }))]
  })
}
