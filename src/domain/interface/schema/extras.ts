import { compareText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'
import type { AtomType } from './atom.ts'
import { keyOf, type SchemaDocument, targetOf } from './source.ts'

/**
 * Keywords that are not modelled. Whatever they say, a condition more can only narrow and one less can only widen; of
 * a changed one nobody knows. So it is enough to see whether two of them are the same, and for that they become text.
 */
const EXTRAS: readonly {
  readonly lead: string
  readonly with: readonly string[]
  readonly of: AtomType | null
}[] = [
  { lead: 'not', with: [], of: null },
  { lead: 'if', with: ['then', 'else'], of: null },
  { lead: '$dynamicRef', with: [], of: null },
  { lead: '$recursiveRef', with: [], of: null },
  { lead: 'contains', with: ['minContains', 'maxContains'], of: 'array' },
  { lead: 'unevaluatedItems', with: [], of: 'array' },
  { lead: 'patternProperties', with: [], of: 'object' },
  { lead: 'propertyNames', with: [], of: 'object' },
  { lead: 'dependentRequired', with: [], of: 'object' },
  { lead: 'dependentSchemas', with: [], of: 'object' },
  { lead: 'dependencies', with: [], of: 'object' },
  { lead: 'unevaluatedProperties', with: [], of: 'object' },
  { lead: 'contentEncoding', with: [], of: 'string' },
  { lead: 'contentMediaType', with: [], of: 'string' },
  { lead: 'contentSchema', with: [], of: 'string' },
]

const LEADS = new Set(EXTRAS.map(({ lead }) => lead))

export interface Extra {
  readonly keyword: string
  readonly of: AtomType | null
  readonly text: string
}

export function extrasOf(schema: JsonObject, document: SchemaDocument, budget: Budget): Extra[] {
  if (!Object.keys(schema).some((key) => LEADS.has(key))) return []
  const found: Extra[] = []
  for (const { lead, with: more, of } of EXTRAS) {
    const value = keyOf(schema, lead)
    if (value === undefined || saysNothing(lead, schema)) continue
    const words = [lead, ...more].map((key) => {
      const inner = keyOf(schema, key)
      return inner === undefined ? '' : new MeaningText(document, budget).of(inner, isMapOfSchemas(key))
    })
    found.push({ keyword: lead, of, text: `${lead} ${words.join(' ')}` })
  }
  return found
}

function saysNothing(keyword: string, schema: JsonObject): boolean {
  const value = schema[keyword]
  if (keyword === 'if') return schema['then'] === undefined && schema['else'] === undefined
  if (!keyword.startsWith('unevaluated')) return false
  return value === true || (isJsonObject(value) && isEmpty(value)) || closesAlone(schema)
}

const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0

const MAY_DECLARE = [
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
  'if',
  'dependentSchemas',
  'patternProperties',
]

/** `unevaluatedProperties: false` is the same as no additional ones where nothing else could have declared some. */
export const closesAlone = (schema: JsonObject): boolean =>
  schema['unevaluatedProperties'] === false && !MAY_DECLARE.some((key) => Object.hasOwn(schema, key))

const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
])
const isMapOfSchemas = (key: string): boolean => MAPS.has(key)

const ANNOTATIONS = new Set([
  'title',
  'description',
  'examples',
  'example',
  'default',
  '$comment',
  'deprecated',
])
const DEFINITIONS = new Set(['$defs', 'definitions', '$id', '$schema', '$anchor'])
const UNORDERED = new Set(['required', 'enum', 'type', 'allOf', 'anyOf', 'oneOf'])

/** Text that is equal for what means the same: keys in order, references written out, annotations left out. */
class MeaningText {
  readonly #document: SchemaDocument
  readonly #budget: Budget
  readonly #open: Json[] = []

  constructor(document: SchemaDocument, budget: Budget) {
    this.#document = document
    this.#budget = budget
  }

  of(value: Json, isMap = false, key = ''): string {
    this.#budget.spend()
    if (Array.isArray(value)) {
      const texts = (value as readonly Json[]).map((inner) => this.of(inner))
      return `[${(UNORDERED.has(key) ? texts.sort(compareText) : texts).join(',')}]`
    }
    if (!isJsonObject(value)) return JSON.stringify(value)
    const ref = isMap ? undefined : keyOf(value, '$ref')
    return typeof ref === 'string' ? this.#target(ref, value) : this.#object(value, isMap)
  }

  #object(value: JsonObject, isMap: boolean): string {
    const keys = Object.keys(value).filter((key) => isMap || !(ANNOTATIONS.has(key) || DEFINITIONS.has(key)))
    const pieces = keys.sort(compareText).map((key) => {
      const inner = value[key] ?? null
      return `${JSON.stringify(key)}:${this.of(inner, !isMap && isMapOfSchemas(key), isMap ? '' : key)}`
    })
    return `{${pieces.join(',')}}`
  }

  /** A way back up is told by how far it leads. */
  #target(ref: string, value: JsonObject): string {
    const target = targetOf(ref, this.#document)
    if (target === undefined) return `{"$ref":${JSON.stringify(ref)}}`
    const up = this.#open.lastIndexOf(target)
    if (up !== -1) return `^${this.#open.length - up}`
    this.#open.push(target)
    const { $ref: _, ...beside } = value
    const text = this.of(target) + (Object.keys(beside).length === 0 ? '' : this.#object(beside, false))
    this.#open.pop()
    return text
  }
}
