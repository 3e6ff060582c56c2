import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { keyOf } from '../schema/source.ts'
import { wordSet } from '../word-set.ts'
import { readTypeWord } from './type-words.ts'

const JSON_TYPES = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])

/** Keywords of JSON Schema and OpenAPI; an object with a JSON type and nothing but these is a schema. */
const KEYWORDS =
  wordSet(`type enum const default title description examples example format pattern minLength maxLength minimum maximum
  exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems items prefixItems additionalItems
  contains minContains maxContains properties required additionalProperties patternProperties propertyNames
  minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedItems
  unevaluatedProperties allOf anyOf oneOf not if then else nullable readOnly writeOnly deprecated discriminator
  xml externalDocs contentEncoding contentMediaType contentSchema definitions`)

const isKeyword = (key: string): boolean => KEYWORDS.has(key) || key.startsWith('$') || key.startsWith('x-')

const isJsonType = (type: Json | undefined): boolean =>
  Array.isArray(type)
    ? type.length > 0 && type.every((one) => typeof one === 'string' && JSON_TYPES.has(one))
    : typeof type === 'string' && JSON_TYPES.has(type)

/** Whether an object is a JSON Schema, and not a record that has a field called `type`. */
export function isSchema(value: JsonObject): boolean {
  if (typeof value['$ref'] === 'string' || typeof value['$schema'] === 'string') return true
  const keys = Object.keys(value)
  for (const key of keys) if (!isKeyword(key)) return false
  for (const key of keys) if (LISTS.has(key) && Array.isArray(value[key])) return true
  for (const key of keys) if (ONLY_IN_SCHEMAS.has(key) && isJsonObject(value[key])) return true
  if (isFieldMark(value['required'])) return false
  if (value['const'] !== undefined && keys.length <= 3) return true
  const type = value['type']
  if (type === undefined) return isJsonObject(value['properties'])
  return isJsonType(type) && !isRecordWithType(value)
}

/** Nobody gives a field of that name a list. */
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'enum'])
/** Nobody calls a field like that and describes it by an object. */
const ONLY_IN_SCHEMAS = wordSet('$defs not patternProperties additionalProperties unevaluatedProperties')

/** `required: true` marks a field; a schema lists the names of what it requires. */
const isFieldMark = (required: Json | undefined): boolean => typeof required === 'boolean'

/** `{type: "string", title: "string"}` has two fields; nobody describes a thing as "string". */
function isRecordWithType(value: JsonObject): boolean {
  let isOne = false
  for (const key of MAY_BE_FIELDS) {
    const text = keyOf(value, key)
    if (typeof text !== 'string') continue
    if (!JSON_TYPES.has(text) && !isWordOfType(text)) return false
    isOne = true
  }
  return isOne
}

const MAY_BE_FIELDS = ['title', 'description', 'format', 'pattern', 'default', 'example']

const isWordOfType = (text: string): boolean => /[?|[]/.test(text) && readTypeWord(text) !== undefined

/** Whether types inside it are written as words. */
export function hasWordsInside(schema: JsonObject, depth = 0): boolean {
  if (depth > 30) return false
  const properties = schema['properties']
  if (isJsonObject(properties))
    for (const name of Object.keys(properties)) if (isInWords(properties[name], depth)) return true
  return isInWords(schema['items'], depth) || isInWords(schema['additionalProperties'], depth)
}

const isInWords = (inner: Json | undefined, depth: number): boolean =>
  typeof inner === 'string' ||
  (isJsonObject(inner) && (!isSchemaLike(inner) || hasWordsInside(inner, depth + 1)))

function isSchemaLike(value: JsonObject): boolean {
  const keys = Object.keys(value)
  for (const key of keys) if (!isKeyword(key)) return false
  if (keys.length === 0) return true
  return !isFieldMark(value['required']) && (value['type'] === undefined || isJsonType(value['type']))
}
