import { defined } from '../../protocol/collections/defined.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { deref, entriesOf, listOf } from '../interface/forms/content.ts'
import { isMethod } from '../interface/forms/http/path.ts'
import { keyOf } from '../interface/schema/source.ts'
import type { Item } from './item.ts'
import { cutterOf } from './referred.ts'

/** One contract for each operation: a small document with that operation alone and what it refers to. */
export function* splitOpenApi(document: JsonObject): Iterable<() => Item> {
  const cut = cutterOf(document)
  for (const [path, entry] of entriesOf(document['paths'])) {
    const item = deref(entry, { document: { root: document, ignoresRefSiblings: true } })
    for (const [method, operation] of entriesOf(item))
      if (isMethod(method) && isJsonObject(operation))
        yield () => ({
          name: `${method.toUpperCase()} ${path}`,
          type: 'api_endpoint',
          content: cut(oneOperation(document, { path, item: item ?? {}, method, operation })),
        })
  }
}

interface Place {
  readonly path: string
  readonly item: JsonObject
  readonly method: string
  readonly operation: JsonObject
}

/** What path and document say for all of their operations is said of this one. */
function oneOperation(document: JsonObject, { path, item, method, operation }: Place): JsonObject {
  const servers = keyOf(operation, 'servers') ?? keyOf(item, 'servers') ?? keyOf(document, 'servers')
  const security = keyOf(operation, 'security') ?? keyOf(document, 'security')
  const { servers: _, ...own } = operation
  const parameters = bothParameters(
    listOf(keyOf(item, 'parameters')),
    listOf(keyOf(operation, 'parameters')),
    document,
  )
  const said = parameters.length === 0 ? {} : { parameters }
  const schemes = schemesOf(security, document)
  return {
    openapi: document['openapi'],
    info: { title: `${method.toUpperCase()} ${path}`, version: '1' },
    ...defined({ servers }),
    paths: { [path]: { [method]: { ...own, ...said, ...defined({ security }) } } },
    ...(Object.keys(schemes).length === 0 ? {} : { components: { securitySchemes: schemes } }),
  }
}

/** Those of the path that the operation does not say anew come first. */
function bothParameters(shared: readonly Json[], own: readonly Json[], root: JsonObject): readonly Json[] {
  const keyOfParameter = (entry: Json) => {
    const found = deref(entry, { document: { root, ignoresRefSiblings: true } })
    return `${String(found?.['in'])} ${String(found?.['name'])}`
  }
  const said = new Set(own.map(keyOfParameter))
  return [...shared.filter((entry) => !said.has(keyOfParameter(entry))), ...own]
}

/** Ways to sign in are referred to by name. */
function schemesOf(security: Json | undefined, { components }: JsonObject): JsonObject {
  const defined = isJsonObject(components) ? components['securitySchemes'] : undefined
  const names = new Set(listOf(security).flatMap((way) => (isJsonObject(way) ? Object.keys(way) : [])))
  return Object.fromEntries(entriesOf(defined).filter(([name]) => names.has(name)))
}
