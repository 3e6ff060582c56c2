import type { GraphqlSchema, GraphqlType, TypeRef } from '../interface/forms/graphql/schema.ts'
import type { Catalogue } from './catalogue.ts'
import { type Declaration, type Shape, scalars, type Type } from './declaration.ts'

const SCALARS = new Map([
  ...scalars('string', 'ID String'),
  ...scalars('integer', 'Int'),
  ...scalars('number', 'Float'),
  ...scalars('boolean', 'Boolean'),
])

/** Declares each type of an SDL text as it is sent in JSON; what a scalar of its own is, nobody says. */
export function declareGraphql(catalogue: Catalogue, { types }: GraphqlSchema): string | undefined {
  if (types.size === 0) return 'it declares no type'
  const names = new Map([...types.keys()].map((name) => [name, catalogue.name(name)]))
  const shapeOf = (name: string): Shape => {
    const known = names.get(name)
    return SCALARS.get(name) ?? (known === undefined ? { kind: 'any' } : { kind: 'named', name: known })
  }
  const typeOf = (type: TypeRef): Type => ({
    shape: 'list' in type ? { kind: 'list', of: typeOf(type.list) } : shapeOf(type.name),
    isNullable: !type.isRequired,
  })
  for (const [key, name] of names) {
    const type = types.get(key)
    if (type !== undefined) catalogue.declare({ name, is: isOf(type, { typeOf, shapeOf }) })
  }
  return undefined
}

interface Around {
  readonly typeOf: (type: TypeRef) => Type
  readonly shapeOf: (name: string) => Shape
}

/** What may be null may be left out of an input; of an answer, what was asked for is there. */
function isOf({ kind, fields, values }: GraphqlType, { typeOf, shapeOf }: Around): Declaration['is'] {
  const not = { isNullable: false }
  if (kind === 'enum') return { shape: { kind: 'literals', values: [...values] }, ...not }
  if (kind === 'union') return { shape: { kind: 'union', parts: [...values].map(shapeOf) }, ...not }
  if (kind === 'scalar') return { shape: { kind: 'any' }, ...not }
  return {
    fields: [...fields].map(([name, { type, fallback }]) => ({
      name,
      type: typeOf(type),
      isRequired: kind !== 'input' || (type.isRequired && fallback === null),
    })),
    hasOthers: false,
  }
}
