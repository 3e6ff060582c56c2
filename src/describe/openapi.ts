import * as z from 'zod'
import type { Access } from '../methods/row.ts'
import { mapValues } from '../protocol/collections/map-values.ts'
import type { JsonObject } from '../protocol/json/json.ts'
import { namedShape } from '../protocol/words.ts'
import { describeSchema } from './schema.ts'

/** By media type; null where the content is arbitrary bytes. */
export type Contents = Readonly<Record<string, z.ZodType | null>>

/** The description of a route, with the schemas that it also validates with. */
export interface RouteAbout {
  /** One sentence in the imperative. */
  readonly summary: string
  readonly description?: string
  readonly body?: Contents
  /** The headers it reads, except for the key. */
  readonly headers?: Readonly<Record<string, string>>
  /** The successful answers, by status. */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly contents?: Contents }>>
  /** The body of refusals; the daemon's own format if left out. */
  readonly refusal?: z.ZodType
}

export interface DescribedRoute {
  readonly verb: 'get' | 'post' | 'delete'
  /** With parameters such as `:sha256`. */
  readonly path: string
  readonly access: Access
  readonly about?: RouteAbout
}

/** The daemon's own format of errors, where no protocol has another one. */
const ErrorBody = namedShape('Error', {
  error: z.looseObject({
    message: z.string(),
    kind: z.string(),
    retryable: z.boolean(),
    next: z.string().optional(),
  }),
})

/** The OpenAPI 3.1 document of these routes. A route without a description is marked as `x-undescribed`. */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  { version, url }: { version: string; url: string },
): JsonObject {
  const schemas: Record<string, JsonObject> = {}
  const paths: Record<string, Record<string, JsonObject>> = {}
  const schemaOf = (type: z.ZodType): JsonObject => {
    const { schema, components } = describeSchema(type, 'draft-2020-12')
    Object.assign(schemas, components)
    return schema
  }
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.verb]: operationOf(route, schemaOf) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'cacpd',
      version,
      description: 'CACP 2.0 and the protocols to ask an agent in. JSON-RPC methods are in /openrpc.json.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    paths,
    components: {
      schemas,
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: '`cacpd key` prints it' } },
    },
  }
}

type SchemaOf = (type: z.ZodType) => JsonObject

function operationOf({ verb, path, access, about }: DescribedRoute, schemaOf: SchemaOf): JsonObject {
  const { summary, description, body, headers = {}, answers = {}, refusal = ErrorBody } = about ?? {}
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => parameter(name, 'path')),
    ...Object.entries(headers).map(([name, text]) => parameter(name, 'header', text)),
  ]
  const refused = { 'application/json': { schema: schemaOf(refusal) } }
  const refusals = refusalsOf(access, body !== undefined, parameters.length > 0)
  return {
    operationId: operationId(verb, path),
    summary: summary ?? 'Not described',
    ...(about === undefined ? { 'x-undescribed': true } : {}),
    ...(description === undefined ? {} : { description }),
    'x-access': access,
    security: access === 'public' ? [] : [{ key: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body, schemaOf) } }),
    responses: {
      ...mapValues(answers, ({ description: text, contents }) => ({
        description: text,
        ...(contents === undefined ? {} : { content: contentOf(contents, schemaOf) }),
      })),
      ...mapValues(refusals, (text) => ({ description: text, content: refused })),
    },
  }
}

/** By status. */
function refusalsOf(access: Access, hasBody: boolean, hasParameters: boolean): Record<string, string> {
  return {
    ...(hasBody || hasParameters ? { 400: 'Client Error: the message names the field' } : {}),
    ...(access === 'public' ? {} : { 401: 'No key, or a wrong one' }),
    403: 'Not allowed',
    ...(hasBody ? { 413: 'The body is too large', 415: 'The Content-Type is another one' } : {}),
    429: 'Too much at once; try again later',
    500: 'Server Error',
    default: 'Refused for another reason',
  }
}

function contentOf(contents: Contents, schemaOf: SchemaOf): JsonObject {
  return mapValues(contents, (schema, type) => mediaOf(type, schema, schemaOf))
}

/** OpenAPI 3.1 describes a stream only as text; the schema of its events is given in `x-item-schema`. */
function mediaOf(type: string, schema: z.ZodType | null, schemaOf: SchemaOf): JsonObject {
  if (schema === null) return {}
  if (type !== 'text/event-stream') return { schema: schemaOf(schema) }
  const description = 'Events, whose data is JSON text of the item schema'
  return { schema: { type: 'string', description }, 'x-item-schema': schemaOf(schema) }
}

function parameter(name: string, place: 'path' | 'header', description?: string): JsonObject {
  return {
    name,
    in: place,
    required: place === 'path',
    ...(description === undefined ? {} : { description }),
    schema: { type: 'string' },
  }
}

/** `get /files/:sha256` becomes getFilesSha256. */
function operationId(verb: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return verb + words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}
