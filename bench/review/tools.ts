import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json/json.ts'
import type { Pair } from './corpus.ts'

export type ToolName = 'api-smart-diff' | 'json-schema-diff' | 'openapi-diff'

/** A pair in the form that a tool takes. */
export interface Given {
  readonly before: Json
  readonly after: Json
  /** By what a schema hurts; a tool for schemas does not know who sends them. */
  readonly breaksBy: 'narrowing' | 'widening' | 'either'
}

/** What each tool says that it can read; pairs of other forms are not given to it. */
export const TAKES: Record<ToolName, (pair: Pair) => Given | undefined> = {
  'api-smart-diff': (pair) => openApiOf(pair) ?? asyncApiOf(pair) ?? schemaOf(pair),
  'json-schema-diff': schemaOf,
  'openapi-diff': openApiOf,
}

const bothOf = (pair: Pair, read: (value: JsonObject) => Json | undefined): Given | undefined => {
  const [before, after] = [read(pair.before), read(pair.after)]
  return before === undefined || after === undefined ? undefined : { before, after, breaksBy: 'either' }
}

/** What OpenAPI 3.1 has beyond 3.0. */
const ONLY_IN_31 =
  /"type":\[|"(?:const|webhooks|prefixItems|\$defs|patternProperties|if|dependentRequired|jsonSchemaDialect|unevaluatedProperties|contains|propertyNames)":|"exclusiveM\w+":-?\d/

/** Documents that mean the same in OpenAPI 3.0 are given as such, for no tool here reads 3.1. */
function openApiOf(pair: Pair): Given | undefined {
  return bothOf(pair, (value) => {
    const { openapi } = value
    if (typeof openapi !== 'string') return undefined
    if (!openapi.startsWith('3.0') && ONLY_IN_31.test(JSON.stringify(value))) return undefined
    return tidy({ info: { title: 'bench', version: '1' }, paths: {}, ...value, openapi: '3.0.3' })
  })
}

/** What OpenAPI demands and careful people write, though nothing depends on it: descriptions of answers, no empty lists. */
function tidy(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((inner) => tidy(inner as Json))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(
    ([name, inner]) => !(name === 'required' && isEmptyList(inner)),
  )
  const made = Object.fromEntries(entries.map(([name, inner]) => [name, tidy(inner ?? null, name)]))
  const isAnswer = /^(?:[1-5](?:\d\d|XX)|default)$/.test(key) && made['$ref'] === undefined
  return isAnswer ? { description: '', ...made } : made
}

const isEmptyList = (value: Json | undefined): boolean => Array.isArray(value) && value.length === 0

const asyncApiOf = (pair: Pair): Given | undefined =>
  bothOf(pair, (value) =>
    typeof value['asyncapi'] === 'string' && value['asyncapi'].startsWith('2.') ? value : undefined,
  )

const KEYWORDS = ['$schema', '$ref', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'properties']

/** Models that are JSON Schema, at the top or under `schema`. */
function schemaOf(pair: Pair): Given | undefined {
  if (pair.form !== 'model') return undefined
  const given = bothOf(pair, (value) => {
    const schema = isJsonObject(value['schema']) ? value['schema'] : value
    const { type } = schema
    const isOfWords = typeof type === 'string' && !JSON_TYPES.has(type)
    return KEYWORDS.some((key) => Object.hasOwn(schema, key)) && !isOfWords ? schema : undefined
  })
  const direction = pair.before['direction']
  if (given === undefined || typeof direction !== 'string') return given
  return {
    ...given,
    breaksBy: direction === 'request' ? 'narrowing' : direction === 'response' ? 'widening' : 'either',
  }
}

const JSON_TYPES = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])
