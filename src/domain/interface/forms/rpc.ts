import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { addAll } from '../add-all.ts'
import { type Budget, WORK } from '../budget.ts'
import type { OpaquePart, Operation, Slot } from '../model.ts'
import type { Located } from '../schema/source.ts'
import { unknownParts, unreadBeside } from './annotations.ts'
import {
  type Content,
  deref,
  entriesOf,
  firstOf,
  listOf,
  locatedIn,
  openDocument,
  type ReadDocument,
} from './content.ts'
import { fieldsOf } from './fields.ts'

const SENT = ['params', 'parameters', 'args', 'arguments', 'input', 'request']
const RETURNED = ['result', 'returns', 'return', 'output', 'response']
const NAMES = ['name', 'method']
const unreadIn = unreadBeside([SENT, RETURNED, ['errors'], ['name'], ['method']])

/** `methods: {name: {params, result, errors}}`. */
export function readRpc(methods: Json, content: Content): Operation[] {
  const rows = Array.isArray(methods) ? methods.map((row) => [nameOf(row), row] as const) : entriesOf(methods)
  const isOne = rows.length === 1
  return rows.map(([name, value], index) => readMethod(name ?? `method ${index}`, value, { content, isOne }))
}

const nameOf = (row: Json): string | undefined => {
  const name = isJsonObject(row) ? firstOf(row, NAMES) : undefined
  return typeof name === 'string' ? name : undefined
}

export function readMethod(
  name: string,
  value: Json,
  { content, isOne }: { content: Content; isOne: boolean },
): Operation {
  content.budget.spend(WORK.operation)
  const prefix = isOne ? '' : `${name}: `
  const base = { key: name, prefix, sender: 'consumer' as const }
  if (!isJsonObject(value))
    return { ...base, slots: [], opaque: [{ at: '', sender: 'both', value: { [name]: value } }] }
  const here = { at: '', sender: 'both' } as const
  const opaque = unreadIn(value, here)
  const slots = paramSlots(firstOf(value, SENT), content, opaque)
  const result = firstOf(value, RETURNED)
  if (result !== undefined && result !== null)
    slots.push(resultSlot(locatedIn(content, result, `${prefix}result`)))
  addAll(slots, errorCodes(value['errors'], opaque))
  return { ...base, slots, opaque }
}

const resultSlot = (schema: Located | null): Slot => ({
  at: 'result',
  sender: 'provider',
  required: true,
  schema,
})

/** What stands in a document as it is. */
const asWritten = (schema: Json | undefined, { document }: Content): Located | null =>
  schema === undefined ? null : { schema, document }

function paramSlots(params: Json | undefined, content: Content, opaque: OpaquePart[]): Slot[] {
  if (params === undefined || params === null) return []
  const fields = fieldsOf(params, 'params', content)
  if (fields === undefined) {
    opaque.push({ at: 'params', sender: 'consumer', value: params })
    return []
  }
  return fields.map(({ name, schema, isRequired }) => ({
    at: `params.${name}`,
    sender: 'consumer',
    required: isRequired,
    schema: asWritten(schema ?? undefined, content),
  }))
}

const CODES = ['code', 'name']

/** Errors by code: like bad statuses, they may come and go. */
function errorCodes(errors: Json | undefined, opaque: OpaquePart[]): Slot[] {
  if (errors === undefined || errors === null) return []
  const codes = Array.isArray(errors)
    ? (errors as readonly Json[]).map((row) => (isJsonObject(row) ? firstOf(row, CODES) : row))
    : entriesOf(errors).map(([code]) => code)
  if (!codes.every((code) => typeof code === 'string' || typeof code === 'number')) {
    opaque.push({ at: 'errors', sender: 'provider', value: errors })
    return []
  }
  return codes.map((code) => ({
    at: `response.error-${String(code)}`,
    sender: 'provider',
    required: true,
    schema: null,
  }))
}

/** An OpenRPC document: parameters have a place and a name, and callers may use either. */
export function readOpenRpc(value: JsonObject, budget: Budget): ReadDocument {
  const content = openDocument(value, { root: value, ignoresRefSiblings: true }, budget)
  const operations = listOf(value['methods']).map((method, index) => openRpcMethod(method, index, content))
  return { operations, content }
}

/** What is looked at. How parameters are sent is only seen to be the same, and so is all that is not named here. */
const OF_METHOD = new Set(['name', 'params', 'result', 'errors', 'servers'])

function openRpcMethod(method: Json, index: number, content: Content): Operation {
  content.budget.spend(WORK.documented)
  const found = deref(method, content)
  const name = found === undefined ? undefined : nameOf(found)
  if (found === undefined || name === undefined) {
    const opaque = [{ at: 'method', sender: 'both', value: method }] as const
    return { key: `method ${index}`, prefix: '', sender: 'consumer', slots: [], opaque }
  }
  const opaque = unknownParts(found, OF_METHOD, { at: '', sender: 'both' })
  const slots = listOf(found['params']).map((one, place): Slot => {
    const { name, required, schema } = deref(one, content) ?? {}
    const at = `params.${typeof name === 'string' ? name : place}`
    return { at, sender: 'consumer', required: required === true, schema: asWritten(schema, content) }
  })
  if (found['paramStructure'] !== 'by-name')
    // Callers by position are hurt by another order, but not by one more at the end.
    addAll(
      slots,
      slots.map((slot, place): Slot => ({ ...slot, at: `position.${place}`, required: false })),
    )
  const result = deref(found['result'], content)
  if (result !== undefined) slots.push(resultSlot(asWritten(result['schema'], content)))
  const errors = listOf(found['errors']).map((one) => deref(one, content) ?? null)
  addAll(slots, errorCodes(errors, opaque))
  return { key: name, prefix: `${name}: `, sender: 'consumer', slots, opaque }
}
