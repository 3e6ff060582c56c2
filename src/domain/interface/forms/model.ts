import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Operation, Sender, Slot } from '../model.ts'
import { documentOf } from '../schema/source.ts'
import { wordList } from '../word-set.ts'
import { isSchema } from '../words/recognise-schema.ts'
import { unknownParts, wholeOperation } from './annotations.ts'
import { type Content, firstOf, locatedIn } from './content.ts'
import { fieldsOf, objectOf } from './fields.ts'

const LISTS = wordList('fields columns variables env environment properties settings config options')
/** Who sends a model: both sides write and read it, unless the contract says otherwise. */
function senderOf({ direction }: JsonObject): Sender {
  if (direction === 'request') return 'consumer'
  return direction === 'response' ? 'provider' : 'both'
}

export const listOfFields = (value: JsonObject): Json | undefined => firstOf(value, LISTS)

/** JSON Schema at the top or under `schema`. */
export function readSchemaModel(value: JsonObject, content: Content): Operation {
  const inner = value['schema']
  const sender = senderOf(value)
  const schema = inner ?? value
  const isWhole =
    inner === undefined || (isJsonObject(schema) && (schema['$defs'] ?? schema['definitions']) !== undefined)
  const located =
    isWhole && isJsonObject(schema) && isSchema(schema) && schema === content.informal.schema(schema, 'model')
      ? { schema, document: documentOf(schema) }
      : locatedIn(content, schema, 'model')
  const opaque =
    inner === undefined
      ? []
      : unknownParts(value, new Set(['schema', 'direction']), { at: '', sender: 'both' })
  return wholeOperation('model', [{ at: 'model', sender, required: true, schema: located }], opaque)
}

/** What beside a list of fields says nothing about them. */
const LABELS = ['direction', 'table', 'entity', 'type']

/** A list of fields: a record of type words, or rows. What is listed as required is what is required. */
export function readFieldModel(value: JsonObject, list: Json, content: Content): Operation {
  const used = LISTS.find((key) => value[key] !== undefined) ?? ''
  const { required } = value
  const slot = fieldSlot(list, content, senderOf(value))
  const isListed = Array.isArray(required) && slot.schema !== null && isJsonObject(slot.schema.schema)
  const known = new Set([used, ...LABELS, ...(isListed ? ['required'] : [])])
  const opaque = unknownParts(value, known, { at: '', sender: 'both' })
  if (!isListed) return wholeOperation('model', [slot], opaque)
  const schema = { ...(slot.schema?.schema as JsonObject), required }
  return wholeOperation('model', [{ ...slot, schema: { schema, document: content.document } }], opaque)
}

/** All of the content is a record of fields. */
export const readRecordModel = (value: JsonObject, content: Content): Operation =>
  wholeOperation('model', [fieldSlot(value, content, 'both')], [])

function fieldSlot(list: Json, content: Content, sender: Sender): Slot {
  const fields = fieldsOf(list, 'model', content)
  const schema = fields === undefined ? content.informal.schema(list, 'model') : objectOf(fields)
  return { at: 'model', sender, required: true, schema: { schema, document: content.document } }
}

const TABLES = ['models', 'schemas', '$defs', 'definitions']

export const hasModels = (value: JsonObject): boolean => TABLES.some((key) => isJsonObject(value[key]))

/** Several models by name. */
export function readModels(value: JsonObject, content: Content): Operation {
  const tables = TABLES.map((key) => value[key]).filter(isJsonObject)
  const slots = tables.flatMap((table) =>
    Object.entries(table).map(
      ([name, type]): Slot => ({
        at: `model.${name}`,
        sender: senderOf(value),
        required: true,
        schema: locatedIn(content, type ?? null, `model.${name}`),
      }),
    ),
  )
  return wholeOperation(
    'model',
    slots,
    unknownParts(value, new Set([...TABLES, 'direction']), { at: '', sender: 'both' }),
  )
}
