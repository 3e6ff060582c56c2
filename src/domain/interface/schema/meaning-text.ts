import { canonicalText, compareText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { Budget, TooLarge, WORK } from '../budget.ts'
import { wordSet } from '../word-set.ts'
import { type SchemaDocument, targetOf } from './source.ts'

const MAPS = wordSet('properties patternProperties dependentSchemas dependencies $defs definitions')
export const isMapOfSchemas = (key: string): boolean => MAPS.has(key)

const ANNOTATIONS = wordSet('title description examples example default $comment deprecated')
const DEFINITIONS = new Set(['$defs', 'definitions', '$id', '$schema', '$anchor', '$dynamicAnchor'])
/** What leads elsewhere. */
export const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']
const UNORDERED = new Set(['required', 'enum', 'type', 'allOf', 'anyOf', 'oneOf'])

/** Text that is equal for what means the same: keys in order, references written out, annotations left out. */
export function meaningText(document: SchemaDocument, budget: Budget) {
  const open: Json[] = []
  return textOf

  function textOf(value: Json, isMap = false, under = ''): string {
    budget.spend()
    if (Array.isArray(value)) {
      const texts = (value as readonly Json[]).map((inner) => textOf(inner))
      return `[${(UNORDERED.has(under) ? texts.sort(compareText) : texts).join(',')}]`
    }
    if (!isJsonObject(value)) return JSON.stringify(value)
    const key = isMap ? undefined : REFERENCES.find((one) => typeof value[one] === 'string')
    return key === undefined ? objectText(value, isMap) : targetText(key, value)
  }

  function objectText(value: JsonObject, isMap: boolean): string {
    const keys = Object.keys(value).filter((key) => isMap || !(ANNOTATIONS.has(key) || DEFINITIONS.has(key)))
    const pieces = keys.sort(compareText).map((key) => {
      const inner = value[key] ?? null
      return `${JSON.stringify(key)}:${textOf(inner, !isMap && isMapOfSchemas(key), isMap ? '' : key)}`
    })
    return `{${pieces.join(',')}}`
  }

  /** A way back up is told by how far it leads. */
  function targetText(key: string, value: JsonObject): string {
    const { [key]: ref, ...beside } = value
    const target = targetOf(String(ref), document)
    if (target === undefined) return `{"$ref":${JSON.stringify(ref)}}`
    const up = open.lastIndexOf(target)
    if (up !== -1) return `^${open.length - up}`
    open.push(target)
    const text = textOf(target) + (Object.keys(beside).length === 0 ? '' : objectText(beside, false))
    open.pop()
    return text
  }
}

const MOST = 2000

/** The same of what is no schema and is only seen to be equal or not; what is very large is taken as it is written. */
export function meaningOf(
  value: Json,
  { document, budget }: { readonly document: SchemaDocument; readonly budget: Budget },
): string {
  const own = new Budget(MOST)
  try {
    return meaningText(document, own)(value)
  } catch (error) {
    if (error instanceof TooLarge) return canonicalText(value)
    throw error
  } finally {
    budget.spend(own.spent * WORK.value)
  }
}
