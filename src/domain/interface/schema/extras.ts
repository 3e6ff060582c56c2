import { isJsonObject, type JsonObject } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'
import { wordList } from '../word-set.ts'
import type { AtomType } from './atom.ts'
import { isMapOfSchemas, meaningText, REFERENCES } from './meaning-text.ts'
import { keyOf, type SchemaDocument } from './source.ts'
import { taggedParts } from './tagged-parts.ts'

/**
 * Keywords that are not modelled. Whatever they say, a condition more can only narrow and one less can only widen; of
 * a changed one nobody knows. So it is enough to see whether two of them are the same, and for that they become text.
 */
const EXTRAS = new Map<string, AtomType | null>([
  ...extrasOfType(null, 'not if $dynamicRef $recursiveRef'),
  ...extrasOfType('array', 'contains unevaluatedItems'),
  ...extrasOfType(
    'object',
    'patternProperties propertyNames dependentRequired dependentSchemas dependencies',
  ),
  ...extrasOfType('object', 'unevaluatedProperties'),
  ...extrasOfType('string', 'contentEncoding contentMediaType contentSchema'),
])
/** Keywords that say something only together with others. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  if: ['then', 'else'],
  contains: ['minContains', 'maxContains'],
}

function extrasOfType(type: AtomType | null, keywords: string): (readonly [string, AtomType | null])[] {
  return wordList(keywords).map((keyword) => [keyword, type])
}

const LEADS = new Set(['discriminator', ...EXTRAS.keys()])

export interface Extra {
  readonly keyword: string
  readonly of: AtomType | null
  readonly text: string
}

export function extrasOf(schema: JsonObject, document: SchemaDocument, budget: Budget): Extra[] {
  if (!Object.keys(schema).some((key) => LEADS.has(key))) return []
  const textOf = meaningText(document, budget)
  const found: Extra[] = []
  for (const [lead, of] of EXTRAS) {
    const value = keyOf(schema, lead)
    if (value === undefined || saysNothing(lead, schema)) continue
    const words = [lead, ...(BESIDE[lead] ?? [])].map((key) => {
      const inner = keyOf(schema, key)
      if (inner === undefined) return ''
      return REFERENCES.includes(key) ? textOf({ [key]: inner }) : textOf(inner, isMapOfSchemas(key))
    })
    found.push({ keyword: lead, of, text: `${lead} ${words.join(' ')}` })
  }
  const parts = taggedParts(schema, document)
  if (parts.length > 0) found.push(taggedExtra(schema, parts, textOf))
  return found
}

type TextOf = ReturnType<typeof meaningText>

/** What may arrive in place of a schema: which of them it is and what it means, as text. */
function taggedExtra({ discriminator }: JsonObject, parts: readonly string[], textOf: TextOf): Extra {
  const words = parts.map((ref) => `${ref} ${textOf({ $ref: ref })}`)
  return {
    keyword: 'discriminator',
    of: 'object',
    text: `${textOf(discriminator ?? null)} ${words.join(' ')}`,
  }
}

function saysNothing(keyword: string, schema: JsonObject): boolean {
  const value = schema[keyword]
  if (keyword === 'if') return schema['then'] === undefined && schema['else'] === undefined
  if (!keyword.startsWith('unevaluated')) return false
  return value === true || (isJsonObject(value) && isEmpty(value)) || closesAlone(schema)
}

const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0

const MAY_DECLARE = wordList(
  'additionalProperties allOf anyOf oneOf $ref if dependentSchemas patternProperties',
)

/** `unevaluatedProperties: false` is the same as no additional ones where nothing else could have declared some. */
export const closesAlone = (schema: JsonObject): boolean =>
  schema['unevaluatedProperties'] === false && !MAY_DECLARE.some((key) => Object.hasOwn(schema, key))
