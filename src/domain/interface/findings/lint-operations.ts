import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import type { Form, Operation, Rule, Slot } from '../model.ts'
import { keyOf, type Located, targetOf } from '../schema/source.ts'
import type { Findings } from './found.ts'

const NO_BODY = new Set(['204', '205', '304'])
const PAGING =
  /^query\.(?:limit|page|per_?page|page_?size|size|cursor|offset|first|after|take|top|max_?results)$/i

/** What is missing around the schemas. */
export function lintOperations(form: Form, operations: readonly Operation[], findings: Findings): void {
  const seen = new Set<string>()
  for (const operation of operations) {
    const { key, prefix, slots } = operation
    if (seen.has(key)) {
      const say = `${key} is described twice; only the last one counts, leave one of them out`
      findings.add('same-operation-twice', key, say)
    }
    seen.add(key)
    for (const slot of slots) lintRequired(slot, prefix, findings)
    if (form === 'http' && operation.sender === 'consumer' && slots.length > 0) lintHttp(operation, findings)
  }
}

function lintHttp({ key, prefix, slots }: Operation, findings: Findings): void {
  const add = (rule: Rule, at: string, say: string) => findings.add(rule, `${prefix}${at}`, say)
  const { goods, hasErrors, isPaged } = seenIn(slots)
  if (!hasErrors)
    add('no-error-response', 'response', 'no 4xx is described; say what is answered when it goes wrong')
  for (const at of goods) {
    const body = `${at}.body`
    const hasBody = slots.some((slot) => slot.at.startsWith(body))
    const say = 'nothing says what is answered; write a schema, or 204 where there is nothing'
    if (!hasBody && !NO_BODY.has(at.slice(ANSWER.length))) add('response-without-schema', at, say)
  }
  if (goods.length === 0)
    add('response-without-schema', 'response', 'no good answer is described; write a status and a schema')
  if (!key.startsWith('GET ') || isPaged) return
  const list = slots.find(
    ({ at, schema }) =>
      schema !== null && at.startsWith('response.2') && at.endsWith('.body') && isEndless(schema),
  )
  if (list !== undefined)
    add('list-without-limit', list.at, 'the list has no end; add limit and cursor to the query, or maxItems')
}

/** The good answers, whether any other is told, and whether the caller can ask for a part of a list. */
function seenIn(slots: readonly Slot[]): { goods: string[]; hasErrors: boolean; isPaged: boolean } {
  const seen = { goods: [] as string[], hasErrors: false, isPaged: false }
  for (const { at } of slots) {
    const status = at.startsWith(ANSWER) ? at.charAt(ANSWER.length) : ''
    if (status === '2' && at.length === GOOD_LENGTH) seen.goods.push(at)
    else if (status !== '' && '45de'.includes(status)) seen.hasErrors = true
    else if (status === '') seen.isPaged ||= PAGING.test(at)
  }
  return seen
}

const ANSWER = 'response.'
const GOOD_LENGTH = 'response.200'.length

function isEndless(located: Located): boolean {
  const schema = meant(located)
  if (!isJsonObject(schema)) return false
  if (isList(schema)) return true
  const properties = schema['properties']
  return ['items', 'data', 'results', 'list'].some((name) => {
    const inner = isJsonObject(properties) ? keyOf(properties, name) : undefined
    const list = inner === undefined ? undefined : meant({ schema: inner, document: located.document })
    return isJsonObject(list) && isList(list)
  })
}

const isList = (schema: { readonly [key: string]: Json | undefined }): boolean =>
  schema['type'] === 'array' && schema['maxItems'] === undefined

function meant({ schema, document }: Located): Json | undefined {
  const ref = isJsonObject(schema) ? schema['$ref'] : undefined
  return typeof ref === 'string' ? targetOf(ref, document) : schema
}

function lintRequired({ at, schema: located }: Slot, prefix: string, findings: Findings): void {
  if (located === null || !/(?:body|payload|model|result)/.test(at)) return
  const schema = meant(located)
  if (!isJsonObject(schema)) return
  const properties = schema['properties']
  const required = schema['required']
  const hasSome = isJsonObject(properties) && Object.keys(properties).length > 1
  const say = 'everything may be left out; list under required what is always there'
  if (hasSome && !(Array.isArray(required) && required.length > 0))
    findings.add('nothing-required', `${prefix}${at}`, say)
}
