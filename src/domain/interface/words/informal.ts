import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { type Budget, WORK } from '../budget.ts'
import type { Findings } from '../findings/found.ts'
import { shown } from '../judge/shown.ts'
import { keyOf } from '../schema/source.ts'
import { describedField, isFieldDescription } from './field-description.ts'
import { hasWordsInside, isSchema } from './recognise-schema.ts'
import { type NamedType, readPlainWord, readTypeWord, type TypeWord } from './type-words.ts'

/** Levels of objects inside objects that are read. */
const DEEPEST = 60

/**
 * Makes JSON Schema of what people write in its place: type words, records of them, examples, schemas with words inside.
 * What is JSON Schema already stays the same object, so that its references still lead where they led.
 */
export function informalReader(findings: Findings, budget: Budget, named?: NamedType) {
  return { schema, isType, record, typeOf }

  function schema(value: Json, at: string): Json {
    return typeOf(value, at, 0).schema
  }

  /** Whether a text is made of type words. */
  function isType(text: string): boolean {
    return readTypeWord(text, named) !== undefined
  }

  /** A record of fields: required unless marked. */
  function record(fields: JsonObject, at: string, depth = 0): JsonObject {
    const properties: Record<string, Json> = {}
    const required: string[] = []
    for (const key of Object.keys(fields)) {
      const isMarked = key.endsWith('?') && key.length > 1
      const name = isMarked ? key.slice(0, -1) : key
      const { schema, isOptional } = typeOf(fields[key] ?? null, `${at}.${name}`, depth + 1)
      setOwn(properties, name, schema)
      if (!isMarked && !isOptional) required.push(name)
    }
    return { type: 'object', properties, required }
  }

  function typeOf(value: Json, at: string, depth: number): TypeWord {
    budget.spend(WORK.field)
    if (depth > DEEPEST) return unreadable(value, at)
    if (typeof value === 'string') return text(value, at)
    if (typeof value === 'number' || typeof value === 'boolean') return example(value, at)
    if (value === null) return unreadable(value, at)
    if (Array.isArray(value)) return { schema: list(value, at, depth), isOptional: false }
    return isJsonObject(value) ? object(value, at, depth) : unreadable(value, at)
  }

  function text(text: string, at: string): TypeWord {
    const plain = named?.(text) === undefined ? readPlainWord(text) : undefined
    if (plain !== undefined) return plain
    budget.spend(WORK.words)
    const found = readTypeWord(text, named)
    if (found !== undefined) return found
    return isExampleText(text) ? example(text, at) : unreadable(text, at)
  }

  function example(value: string | number | boolean, at: string): TypeWord {
    const type = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
    const say = `${shown(JSON.stringify(value))} is an example; write the type, such as "${type}"`
    findings.add('example-not-type', at, say)
    return { schema: { type, $example: true }, isOptional: false }
  }

  function unreadable(value: Json, at: string): TypeWord {
    const text = shown(JSON.stringify(value) ?? 'null')
    const say = `${text} is no type that is known; write one such as "string" or a JSON Schema`
    findings.add('unreadable-type', at, say)
    return { schema: { $unreadable: value }, isOptional: false }
  }

  function list(list: readonly Json[], at: string, depth: number): Json {
    const [first] = list
    if (first === undefined) return { type: 'array' }
    if (list.length === 1) return { type: 'array', items: typeOf(first, `${at}[]`, depth + 1).schema }
    const areExamples = list.every(
      (one) => typeof one === typeof first && typeof one !== 'object' && typeof one !== 'string',
    )
    if (areExamples) return { type: 'array', items: typeOf(first, `${at}[]`, depth + 1).schema }
    return { type: 'array', items: unreadable(list, `${at}[]`).schema }
  }

  function object(value: JsonObject, at: string, depth: number): TypeWord {
    if (isSchema(value)) return { schema: formal(value, at, depth), isOptional: false }
    if (isFieldDescription(value, named)) {
      const { type, isOptional, refine } = describedField(value)
      const inner = typeOf(type, at, depth + 1)
      const items = value['items'] ?? value['fields'] ?? value['properties']
      const refined = refine(inner.schema, items === undefined ? undefined : inside(type, items, at, depth))
      return { schema: refined, isOptional: inner.isOptional || isOptional }
    }
    return { schema: record(value, at, depth), isOptional: false }
  }

  function inside(type: Json, items: Json, at: string, depth: number): JsonObject {
    if (type === 'array') return { items: typeOf(items, `${at}[]`, depth + 1).schema }
    return isJsonObject(items) ? record(items, at, depth + 1) : { $unreadable: items }
  }

  /** A schema in which some types are words: those are made schemas, the rest stays. */
  function formal(schema: JsonObject, at: string, depth: number): JsonObject {
    if (!hasWordsInside(schema)) return schema
    const made: Record<string, Json | undefined> = { ...schema }
    const properties = schema['properties']
    if (isJsonObject(properties)) {
      const fields = Object.entries(properties).map(([name, inner]): [string, Json] => [
        name,
        typeOf(inner ?? null, `${at}.${name}`, depth + 1).schema,
      ])
      made['properties'] = Object.fromEntries(fields)
    }
    for (const key of ['items', 'additionalProperties'] as const) {
      const inner = keyOf(schema, key)
      if (typeof inner === 'string' || isJsonObject(inner))
        made[key] = typeOf(inner, key === 'items' ? `${at}[]` : `${at}.*`, depth + 1).schema
    }
    return made
  }
}

export type InformalReader = ReturnType<typeof informalReader>

/** `__proto__` is a name like any other. */
function setOwn(record: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  else record[name] = value
}

/** Texts that can only be a value, never a type: dates, addresses, ids, numbers. */
const VALUES: readonly RegExp[] = [
  /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}$/,
  /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[+-]?\d+(?:\.\d+)?$/,
]

const isExampleText = (text: string): boolean =>
  text.length <= 200 && VALUES.some((pattern) => pattern.test(text))
