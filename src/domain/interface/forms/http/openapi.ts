import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { addAll } from '../../add-all.ts'
import { checkOperations } from '../../budget.ts'
import type { OpaquePart, Operation, Sender } from '../../model.ts'
import { keyOf } from '../../schema/source.ts'
import { aroundAll } from '../annotations.ts'
import { type Content, deref, entriesOf, openDocument } from '../content.ts'
import { readOperation } from './operation.ts'
import { isMethod } from './path.ts'
import { securitySlots } from './security.ts'

/** What is looked at; what else a document says concerns all of it. */
const OF_DOCUMENT = new Set(['openapi', 'paths', 'webhooks', 'servers', 'security'])
/** Everything of a path that is no operation. */
const OF_PATH = new Set(['parameters', 'summary', 'description', 'servers', '$ref'])

/** An OpenAPI document 3.0 or 3.1: each operation by itself, with what the document says for all. */
export function readOpenApi(value: JsonObject): { operations: Operation[]; content: Content } {
  const isOld = String(value['openapi']).startsWith('3.0')
  const content = openDocument(value, { root: value, ignoresRefSiblings: isOld })
  const operations: Operation[] = []
  for (const [path, item] of entriesOf(value['paths'])) {
    checkOperations(operations.length)
    addAll(operations, pathOperations(path, item, content))
  }
  const hooks = entriesOf(value['webhooks']).flatMap(([name, item]) =>
    pathOperations(name, item, content).map((operation) => turned(operation)),
  )
  return {
    operations: [...operations, ...hooks, ...ofDocument(value), ...aroundAll(value, OF_DOCUMENT)],
    content,
  }
}

function pathOperations(path: string, item: Json, content: Content): Operation[] {
  const found = deref(item, content)
  if (found === undefined) return [unread(path, item)]
  const shared = listOf(keyOf(found, 'parameters'))
  const servers = keyOf(found, 'servers')
  return Object.keys(found)
    .filter((key) => !OF_PATH.has(key) && !key.startsWith('x-'))
    .map((method) => {
      const own = found[method]
      return isJsonObject(own) && isMethod(method)
        ? operationOf(servers === undefined ? own : { servers, ...own }, { method, path, shared }, content)
        : unread(`${method} ${path}`, own ?? null)
    })
}

function operationOf(
  own: JsonObject,
  { method, path, shared }: { method: string; path: string; shared: readonly Json[] },
  content: Content,
): Operation {
  const prefix = `${method.toUpperCase()} ${path}: `
  const { servers, security: _, ...rest } = own
  const value = { ...rest, parameters: [...shared, ...listOf(keyOf(own, 'parameters'))] }
  const operation = readOperation(value, { method, path, prefix }, content)
  const components = content.value['components']
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined
  const security = securitySlots(keyOf(own, 'security') ?? content.value['security'], schemes)
  const elsewhere: OpaquePart[] =
    servers === undefined ? [] : [{ at: 'servers', sender: 'consumer', value: pathsOf(servers) }]
  return {
    ...operation,
    slots: [...operation.slots, ...security],
    opaque: [...operation.opaque, ...elsewhere],
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const unread = (key: string, value: Json): Operation => ({
  key,
  prefix: `${key}: `,
  sender: 'consumer',
  slots: [],
  opaque: [{ at: 'operation', sender: 'both', value }],
})

/** Of a webhook the provider is the one who calls. */
function turned(operation: Operation): Operation {
  const other = (sender: Sender): Sender => (sender === 'consumer' ? 'provider' : 'consumer')
  return {
    ...operation,
    key: `webhook ${operation.key}`,
    prefix: `webhook ${operation.prefix}`,
    sender: 'provider',
    slots: operation.slots.map((slot) => ({ ...slot, sender: other(slot.sender) })),
  }
}

/** Where the paths begin; hosts differ between places where it runs, and say nothing. */
function ofDocument({ servers }: JsonObject): Operation[] {
  const paths = pathsOf(servers)
  const opaque: OpaquePart[] = [{ at: 'servers', sender: 'consumer', value: paths }]
  return paths.every((path) => path === '')
    ? []
    : [{ key: '(document)', prefix: '', sender: 'both', slots: [], opaque }]
}

const pathsOf = (servers: Json | undefined): readonly string[] => {
  const paths = listOf(servers).map((server) => pathOf(isJsonObject(server) ? server['url'] : undefined))
  return [...new Set(paths)].sort()
}

function pathOf(url: Json | undefined): string {
  if (typeof url !== 'string') return ''
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  let end = path.length
  while (path.endsWith('/', end)) end--
  return path.slice(0, end)
}
