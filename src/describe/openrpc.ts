import * as z from 'zod'
import { type AnyMethod, method } from '../methods/row.ts'
import { METHODS } from '../methods/table.ts'
import { FAULTS } from '../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../protocol/json/json.ts'
import { describeSchema } from './schema.ts'

function openRpcDocument(methods: readonly AnyMethod[], { version }: { version: string }): JsonObject {
  const components: Record<string, JsonObject> = {}
  const described = methods.map((row) => {
    const params = describeSchema(row.params)
    const result = describeSchema(row.result)
    Object.assign(components, params.components, result.components)
    return {
      name: row.name,
      summary: row.summary,
      paramStructure: 'by-name',
      params: paramList(params.schema),
      result: { name: 'result', schema: result.schema },
      errors: [{ code: FAULTS.invalid_params.rpc, message: 'Invalid params' }],
      examples: [exampleOf(row)],
      'x-access': row.access,
      ...(row.permission === undefined ? {} : { 'x-permission': row.permission }),
    }
  })
  return {
    openrpc: '1.3.2',
    info: {
      title: 'cacpd',
      version,
      description: 'CACP 2.0: coordination of coding agents across repositories',
    },
    methods: described as unknown as JsonObject[],
    components: { schemas: components },
  }
}

function paramList(schema: JsonObject): JsonObject[] {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>
  const required = (schema['required'] ?? []) as string[]
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    ...(property['description'] === undefined ? {} : { description: property['description'] }),
    schema: property,
  }))
}

function exampleOf({ name, example }: AnyMethod): JsonObject {
  const params = Object.entries(example.params as JsonObject).map(([key, value]) => ({
    name: key,
    value: value ?? null,
  }))
  return { name, params, result: { name: 'result', value: example.result as JsonObject } }
}

/** The table together with `rpc.discover`, which describes it. The document is built when it is first requested. */
export function describedMethods(about: { version: string }): {
  methods: readonly AnyMethod[]
  openRpc: () => JsonObject
} {
  let made: JsonObject | undefined
  const openRpc = () => {
    made ??= openRpcDocument(methods, about)
    return made
  }
  const discover = method({
    name: 'rpc.discover',
    summary: 'Get the OpenRPC document of this daemon.',
    access: 'public',
    params: z.object({}),
    result: FreeObject,
    example: { params: {}, result: { openrpc: '1.3.2' } },
  }).decide(() => ({ result: openRpc() }))
  const methods = [...METHODS, discover]
  return { methods, openRpc }
}
