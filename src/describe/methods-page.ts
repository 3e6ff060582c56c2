import type { AnyMethod } from '../methods/row.ts'
import { FAULTS } from '../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../protocol/json/json.ts'
import { describeSchema } from './schema.ts'

/** docs/METHODS.md, derived from the table. */
export function methodsPage(methods: readonly AnyMethod[]): string {
  const groups = [...new Set(methods.map(groupOf))]
  return [
    '# Methods',
    '',
    'Which methods are there, who may call each, and what does it take and answer?',
    '',
    'Generated from the method table by `npm run docs`; do not edit.',
    '',
    'All calls are JSON-RPC 2.0 to `POST /` with `Content-Type: application/json` and',
    '`Authorization: Bearer <key>` (`cacpd key` prints it; a daemon started with `--open` needs none).',
    'Write methods also take an `idempotencyKey` (or the header `Idempotency-Key`): the same key with the same',
    'params answers the same, without doing it twice. `X-Agent-ID` names the agent you act as.',
    '',
    ...groups.flatMap((group) => [
      `## ${group}`,
      '',
      ...methods.filter((row) => groupOf(row) === group).flatMap(methodSection),
    ]),
    '## Errors',
    '',
    'Every error has `error.data.kind`, `error.data.retryable` and, where there is one, the next step in `error.data.next`, with the call that takes it in `error.data.call`: its `method`, its `params`, and in `fill` which of these are yours to decide or to write.',
    '',
    '| kind | code | retryable |',
    '|---|---|---|',
    ...Object.entries(FAULTS).map(
      ([kind, { rpc, retryable }]) => `| \`${kind}\` | ${rpc} | ${retryable ? 'yes' : 'no'} |`,
    ),
    '',
  ].join('\n')
}

const groupOf = ({ name }: AnyMethod): string => name.split('/').slice(0, -1).join('/') || 'rpc'

function methodSection(row: AnyMethod): string[] {
  const { schema } = describeSchema(row.params)
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>)
  const required = new Set((schema['required'] ?? []) as string[])
  const table = [
    '| param | type | required | |',
    '|---|---|---|---|',
    ...properties.map(([name, property]) => {
      const notes = [property['description'], defaultOf(property)].filter(Boolean).join('; ')
      return `| \`${name}\` | ${typeOf(property)} | ${required.has(name) ? 'yes' : ''} | ${notes} |`
    }),
    '',
  ]
  return [
    `### ${row.name}`,
    '',
    `${row.summary} Access: ${row.access}${row.permission === undefined ? '' : `; with a project token: \`${row.permission}\``}.`,
    '',
    ...(properties.length === 0 ? ['No params.', ''] : table),
    '```json',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: row.name, params: row.example.params }, null, 2),
    '```',
    '```json',
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: row.example.result }, null, 2),
    '```',
    '',
  ]
}

function typeOf(property: JsonObject): string {
  const { type, enum: options, anyOf, items, $ref } = property
  if (Array.isArray(options)) return options.map((option) => `\`${String(option)}\``).join(' \\| ')
  if (Array.isArray(anyOf)) {
    const types = anyOf.filter(isJsonObject).map(typeOf)
    return [...new Set(types)].filter((name) => name !== 'null').join(' or ')
  }
  if (type === 'array' && isJsonObject(items)) return `${typeOf(items)}[]`
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? 'object'
  return typeof type === 'string' ? type : 'any'
}

function defaultOf(property: JsonObject): string | undefined {
  const { default: value } = property
  return value === undefined || value === '' ? undefined : `default \`${JSON.stringify(value)}\``
}
