import type { Dice } from '../sim/dice.ts'

/** The part of JSON Schema that parameters are described with. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema | readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  $ref?: string
  definitions?: Record<string, Schema>
}

/** Values that really exist at the daemon, by the name of the param: with them a call gets deep. */
export type Known = Readonly<Record<string, readonly unknown[]>>

/** What somebody sends who means no good, or whose program has a bug. */
export const NASTY: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202egnp.exe',
  'a'.repeat(300),
  'a'.repeat(30_000),
  '__proto__',
  'constructor',
  'toString',
  '../../../../etc/passwd',
  '..\\..\\operator.key',
  'file:///etc/passwd',
  'http://[::1',
  'aid://a/b',
  '%s%n%x',
  '{{7*7}}',
  '<script>alert(1)</script>',
  "'; DROP TABLE peers; --",
  '9999-99-99T99:99:99Z',
  '0000-01-01T00:00:00.000000Z',
  '🤷'.repeat(50),
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  Array.from({ length: 300 }, () => 0),
  nested(100),
]

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value }
  return value
}

const SHORT_TEXT = [
  'x',
  'GET /users',
  'Log in',
  'backend-api',
  'agree',
  'reject',
  '1',
  'true',
  '2026-11-16T09:00:00Z',
]

/** Something that looks as the schema says. */
export function shapedBy(
  schema: Schema,
  dice: Dice,
  { known, name = '' }: { known: Known; name?: string },
): unknown {
  const existing = known[name]
  if (existing !== undefined && dice.chance(0.8)) return dice.pick(existing)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return dice.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return shapedBy(dice.pick(choices), dice, { known, name })
  switch (schema.type) {
    case 'object': {
      const required = new Set(schema.required)
      const chosen = Object.entries(schema.properties ?? {}).filter(
        ([key]) => required.has(key) || dice.chance(0.4),
      )
      return Object.fromEntries(
        chosen.map(([key, part]) => [key, shapedBy(part, dice, { known, name: key })]),
      )
    }
    case 'array': {
      const { items } = schema
      const part = (Array.isArray(items) ? items[0] : items) ?? {}
      return Array.from({ length: dice.between(0, 3) }, () => shapedBy(part as Schema, dice, { known, name }))
    }
    case 'integer':
      return dice.between(0, 20)
    case 'number':
      return dice.random() * 100
    case 'boolean':
      return dice.chance(0.5)
    case 'null':
      return null
    case 'string':
      return dice.pick(SHORT_TEXT)
    default:
      return dice.pick(dice.chance(0.5) ? NASTY : SHORT_TEXT)
  }
}

export function nastyText(dice: Dice): string {
  const value = dice.pick(NASTY)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The same with something in it replaced, left out, added or repeated. */
export function spoiled(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice.chance(0.15)) return dice.pick(NASTY)
  if (Array.isArray(value)) {
    if (value.length === 0) return [dice.pick(NASTY)]
    const at = dice.between(0, value.length - 1)
    return dice.chance(0.2)
      ? [...value, ...value]
      : value.map((item, n) => (n === at ? spoiled(item, dice) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || dice.chance(0.1)) return { ...value, [nastyText(dice)]: dice.pick(NASTY) }
  const at = dice.between(0, entries.length - 1)
  if (dice.chance(0.15)) return Object.fromEntries(entries.filter((_, n) => n !== at))
  return Object.fromEntries(entries.map(([key, item], n) => [key, n === at ? spoiled(item, dice) : item]))
}
