import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { wordList, wordSet } from '../word-set.ts'
import { type NamedType, readTypeWord } from './type-words.ts'

/** What people write around the type of one field. */
export const FIELD_MARKS =
  wordSet(`type required optional nullable description desc comment note notes default example examples enum values format
  pattern min max minimum maximum minLength maxLength minItems maxItems items fields properties deprecated title
  unique`)

/** `{type: "uuid", required: true, description: "…"}`: one field, and not a record with a field called `type`. */
export function isFieldDescription(value: JsonObject, named: NamedType | undefined): boolean {
  const type = value['type']
  if (type === undefined) return false
  const isType = typeof type === 'string' ? readTypeWord(type, named) !== undefined : isJsonObject(type)
  if (!isType || !Object.keys(value).every((key) => FIELD_MARKS.has(key))) return false
  const { required, optional, nullable, description } = value
  const marks = [required, optional, nullable].filter((mark) => mark !== undefined)
  if (marks.length > 0) return marks.every((mark) => typeof mark === 'boolean')
  if (typeof description === 'string') return readTypeWord(description) === undefined
  return (
    Object.keys(value).some((key) => key !== 'type' && typeof value[key] !== 'string') ||
    Object.keys(value).length === 1
  )
}

const SAME_IN_SCHEMA = wordList(
  'format pattern minimum maximum minLength maxLength minItems maxItems default',
)

export function describedField(value: JsonObject) {
  const { type = null, required, optional, nullable } = value
  const values = value['enum'] ?? value['values']
  const bounds = ['min', 'max'].filter((key) => value[key] !== undefined)
  /** Adds what the description says to the schema of the type. */
  const refine = (schema: Json, inside: JsonObject | undefined): Json => {
    const made: Record<string, Json | undefined> = { ...(isJsonObject(schema) ? schema : {}), ...inside }
    for (const key of SAME_IN_SCHEMA) if (value[key] !== undefined) made[key] = value[key]
    if (Array.isArray(values)) made['enum'] = values
    for (const key of bounds) made[boundKeyword(made['type'], key)] = value[key]
    return nullable === true ? { anyOf: [made, { type: 'null' }] } : made
  }
  return { type, isOptional: required === false || optional === true, refine }
}

/** `min` is the smallest number, the shortest text or the fewest elements. */
function boundKeyword(type: Json | undefined, key: string): string {
  const noun = type === 'string' ? 'Length' : type === 'array' ? 'Items' : 'imum'
  return `${key}${noun}`
}
