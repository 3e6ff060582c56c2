import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { type Budget, WORK } from '../../budget.ts'
import type { OpaquePart, Operation, Sender } from '../../model.ts'
import { aroundAll, besideAll, opaqueOperation } from '../annotations.ts'
import { deref, entriesOf, listOf, openDocument, type ReadDocument } from '../content.ts'
import { type Call, readOperation } from './operation.ts'
import { isMethod } from './path.ts'
import { securitySlots } from './security.ts'

/** What is looked at; what else a document says concerns all of it. */
const OF_DOCUMENT = new Set(['openapi', 'paths', 'webhooks', 'servers', 'security'])
/** Everything of a path that is no operation. */
const OF_PATH = new Set(['parameters', 'summary', 'description', 'servers', '$ref'])

/** An OpenAPI document 3.0 or 3.1: each operation by itself, with what the document says for all. */
export function readOpenApi(value: JsonObject, budget: Budget): ReadDocument {
  const isOld = String(value['openapi']).startsWith('3.0')
  const content = openDocument(value, { root: value, ignoresRefSiblings: isOld }, budget)
  const { components, security: forAll } = value
  const schemes = isJsonObject(components) ? components['securitySchemes'] : undefined
  /** How to sign in where an operation does not say it. */
  const usual = securitySlots(forAll, schemes, budget)
  const operations: Operation[] = []
  for (const [path, item] of entriesOf(value['paths'])) addOperations(operations, path, item)
  const hooks: Operation[] = []
  for (const [name, item] of entriesOf(value['webhooks'])) addOperations(hooks, name, item)
  return {
    operations: [...operations, ...hooks.map(turned), ...ofDocument(value), ...aroundAll(value, OF_DOCUMENT)],
    content,
  }

  function addOperations(into: Operation[], path: string, item: Json): void {
    const found = deref(item, content)
    if (found === undefined) into.push(opaqueOperation(path, item, 'consumer'))
    else
      for (const method of Object.keys(found)) {
        if (OF_PATH.has(method) || method.startsWith('x-')) continue
        const own = found[method]
        into.push(
          isJsonObject(own) && isMethod(method)
            ? operation(own, { method, path }, found)
            : opaqueOperation(`${method} ${path}`, own ?? null, 'consumer'),
        )
      }
  }

  function operation(own: JsonObject, { method, path }: Call, around: JsonObject): Operation {
    budget.spend(WORK.documented)
    const prefix = `${method.toUpperCase()} ${path}: `
    const parameters = listOf(around['parameters'])
    const read = readOperation(own, { method, path, prefix, parameters }, content)
    const { security } = own
    const ways = security === undefined ? usual : securitySlots(security, schemes, budget)
    const servers = own['servers'] ?? around['servers']
    const elsewhere: OpaquePart[] =
      servers === undefined ? [] : [{ at: 'servers', sender: 'consumer', value: pathsOf(servers) }]
    const { key, sender, assumesStatus } = read
    const slots = [...read.slots, ...ways]
    return { key, prefix, sender, slots, opaque: [...read.opaque, ...elsewhere], assumesStatus }
  }
}

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
  const value = pathsOf(servers)
  const isPlain = value.every((path) => path === '')
  return besideAll('(document)', isPlain ? [] : [{ at: 'servers', sender: 'consumer', value }])
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
