import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { WORK } from '../../budget.ts'
import type { Operation } from '../../model.ts'
import { wordSet } from '../../word-set.ts'
import { hasOnly, unreadBeside } from '../annotations.ts'
import { type Content, deref, firstOf } from '../content.ts'
import { addAnswers, ONE_ANSWER, STATUS } from './answers.ts'
import { addBody, mediaOf } from './bodies.ts'
import { addFormalParameters, addInformalParameters, type Parts } from './parameters.ts'
import { readPath } from './path.ts'

export const PATHS = ['path', 'url', 'route', 'endpoint']
export const METHODS = ['method', 'verb']
const PATH_PARAMETERS = ['pathParams', 'path_params']
const QUERY = ['query', 'queryParams', 'query_params']
const HEADERS = ['headers', 'requestHeaders']
const BODY = ['requestBody', 'request_body', 'body']
/** Keys by which a request is told; without any of them nothing is asked for. */
const ASKED = ['request', 'parameters', 'params', ...PATH_PARAMETERS, ...QUERY, ...HEADERS, ...BODY]
/** Keys that mean the same. */
const GROUPS = [
  PATHS,
  METHODS,
  PATH_PARAMETERS,
  QUERY,
  HEADERS,
  BODY,
  ONE_ANSWER,
  STATUS,
  ...['request', 'parameters', 'params', 'responses', 'errors', 'responseHeaders'].map((key) => [key]),
]
const unreadInContent = unreadBeside(GROUPS)
/** Of a document these are read with what it says for all operations. */
const unreadInDocument = unreadBeside([...GROUPS, ['servers'], ['security']])
/** What a request is made of, where it is not the body itself. */
const REQUEST_PARTS = wordSet('body query params headers path pathParams queryParams cookies')
/** Where what is asked may stand beside `request`. */
const ALSO_ASKED = ['query', 'params', 'headers', 'body', 'requestBody']

export interface Call {
  readonly method: string
  readonly path: string
  readonly prefix?: string
  /** Those of all operations of the path. */
  readonly parameters?: readonly Json[]
}

/** One HTTP operation, formal, informal or both at once. */
export function readOperation(value: JsonObject, call: Call, content: Content): Operation {
  content.budget.spend(WORK.operation)
  const { method, path, prefix = '', parameters = [] } = call
  const { shape, parameters: names } = readPath(path)
  const unreadIn = content.isFormal ? unreadInDocument : unreadInContent
  const parts: Parts = { slots: [], opaque: unreadIn(value, { at: '', sender: 'both' }) }
  if (parameters.length > 0 || ASKED.some((key) => value[key] !== undefined))
    addRequest(parts, value, { content, names, parameters })
  const assumesStatus = addAnswers(parts, value, content)
  for (const [index, name] of names.entries()) {
    const at = `path.${index}`
    if (parts.slots.some((slot) => slot.at === at)) continue
    const say = `nothing says what «${name}» is; declare it under params`
    content.findings.add('path-parameter-undeclared', `${prefix}${at}`, say)
    parts.slots.push({ at, sender: 'consumer', required: true, schema: null, isText: true })
  }
  content.budget.spend(parts.slots.length * WORK.slot)
  const key = `${method.toUpperCase()} ${shape}`
  return { key, prefix, sender: 'consumer', slots: parts.slots, opaque: parts.opaque, assumesStatus }
}

interface Asked {
  readonly content: Content
  /** Of the parameters in the path. */
  readonly names: readonly string[]
  readonly parameters: readonly Json[]
}

function addRequest(parts: Parts, value: JsonObject, { content, names, parameters }: Asked): void {
  const { request, parameters: list } = value
  const isParted = hasOnly(request, REQUEST_PARTS)
  const asked: JsonObject = isParted ? request : {}
  const isAskedTwice = (key: string) =>
    value[key] !== undefined && (!isParted || asked[key] !== undefined || key === 'requestBody')
  if (request !== undefined && ALSO_ASKED.some(isAskedTwice))
    parts.opaque.push({ at: 'request', sender: 'consumer', value: request })
  const both = (keys: readonly string[]) => firstOf(value, keys) ?? firstOf(asked, keys)
  const add = (place: 'query' | 'header' | 'path' | 'cookie' | 'params', given: Json | undefined) => {
    if (given !== undefined) addInformalParameters(parts, given, { place, names, content })
  }
  if (Array.isArray(list) || parameters.length > 0)
    addFormalParameters(
      parts,
      Array.isArray(list) ? [...parameters, ...(list as readonly Json[])] : parameters,
      {
        names,
        content,
      },
    )
  else add('params', list)
  add('params', value['params'] ?? asked['params'])
  add('path', firstOf(value, PATH_PARAMETERS) ?? asked['pathParams'] ?? asked['path'])
  add('query', both(QUERY))
  add('header', both(HEADERS))
  add('cookie', asked['cookies'])
  const body = firstOf(value, BODY) ?? (isParted ? asked['body'] : request)
  if (body !== undefined && body !== null) addRequestBody(parts, body, content)
}

function addRequestBody({ slots, opaque }: Parts, body: Json, content: Content): void {
  const target = deref(body, content)
  const found = content.isFormal || mediaOf(target) !== undefined ? target : body
  if (found === undefined) opaque.push({ at: 'request.body', sender: 'consumer', value: body })
  else {
    const isFormal = mediaOf(found) !== undefined
    const required = isFormal ? isJsonObject(found) && found['required'] === true : true
    addBody(slots, found, { at: 'request.body', sender: 'consumer', required, content })
  }
}
