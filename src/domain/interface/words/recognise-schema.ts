import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { keyOf } from '../schema/source.ts'
import { readTypeWord } from './type-words.ts'

const JSON_TYPES = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])

/** Keywords of JSON Schema and OpenAPI; an object with a JSON type and nothing but these is a schema. */
const KEYWORDS = new Set(
  `type enum const default title description examples example format pattern minLength maxLength minimum maximum
  exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems items prefixItems additionalItems contains
  minContains maxContains properties required additionalProperties patternProperties propertyNames minProperties
  maxProperties dependentRequired dependentSchemas dependencies unevaluatedItems unevaluatedProperties allOf anyOf oneOf
  not if then else nullable readOnly writeOnly deprecated discriminator xml externalDocs contentEncoding
  contentMediaType contentSchema definitions`.split(/\s+/),
)

const isKeyword = (key: string): boolean => KEYWORDS.has(key) || key.startsWith('$') || key.startsWith('x-')

const isJsonType = (type: Json | undefined): boolean =>
  Array.isArray(type)
    ? type.length > 0 && type.every((one) => typeof one === 'string' && JSON_TYPES.has(one))
    : typeof type === 'string' && JSON_TYPES.has(type)

/** Whether an object is a JSON Schema, and not a record that has a field called `type`. */
export function isSchema(value: JsonObject): boolean {
  if (typeof keyOf(value, '$ref') === 'string' || typeof keyOf(value, '$schema') === 'string') return true
  const keys = Object.keys(value)
  if (!keys.every(isKeyword)) return false
  if (['allOf', 'anyOf', 'oneOf', 'enum'].some((key) => Array.isArray(keyOf(value, key)))) return true
  if (ONLY_IN_SCHEMAS.some((key) => isJsonObject(keyOf(value, key)))) return true
  if (isFieldMark(keyOf(value, 'required'))) return false
  if (keyOf(value, 'const') !== undefined && keys.length <= 3) return true
  const type = keyOf(value, 'type')
  if (type === undefined) return isJsonObject(keyOf(value, 'properties'))
  return isJsonType(type) && !isRecordWithType(value)
}

/** Nobody calls a field like that and describes it by an object. */
const ONLY_IN_SCHEMAS = ['$defs', 'not', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']

/** `required: true` marks a field; a schema lists the names of what it requires. */
const isFieldMark = (required: Json | undefined): boolean => typeof required === 'boolean'

/** `{type: "string", title: "string"}` has two fields; nobody describes a thing as "string". */
function isRecordWithType(value: JsonObject): boolean {
  const texts = ['title', 'description', 'format', 'pattern', 'default', 'example']
    .map((key) => keyOf(value, key))
    .filter((text) => typeof text === 'string')
  return texts.length > 0 && texts.every((text) => JSON_TYPES.has(text) || isWordOfType(text))
}

const isWordOfType = (text: string): boolean => /[?|[]/.test(text) && readTypeWord(text) !== undefined

/** Whether types inside it are written as words. */
export function hasWordsInside(schema: JsonObject, depth = 0): boolean {
  if (depth > 30) return false
  const properties = keyOf(schema, 'properties')
  const inner = isJsonObject(properties) ? Object.values(properties) : []
  return [...inner, keyOf(schema, 'items'), keyOf(schema, 'additionalProperties')].some(
    (one) =>
      typeof one === 'string' ||
      (isJsonObject(one) && (!isSchemaLike(one) || hasWordsInside(one, depth + 1))),
  )
}

const isSchemaLike = (value: JsonObject): boolean =>
  Object.keys(value).length === 0 ||
  (Object.keys(value).every(isKeyword) &&
    !isFieldMark(value['required']) &&
    (value['type'] === undefined || isJsonType(value['type'])))
