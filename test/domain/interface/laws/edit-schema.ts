import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject } from '../../../../src/protocol/json/json.ts'

/** One small change somewhere: the same numbers give the same change. */
export interface Edit {
  readonly where: number
  readonly what: number
  readonly how: number
}

export const edit: fc.Arbitrary<Edit> = fc.record({ where: fc.nat(50), what: fc.nat(50), how: fc.nat(50) })

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item

/** A copy of a schema with one place in it changed, as people change schemas. */
export function edited(schema: JsonObject, { where, what, how }: Edit): JsonObject {
  const copy = structuredClone(schema) as Record<string, Json>
  const places = placesIn(copy)
  change(pick(places, where), what, how)
  return copy
}

type Place = Record<string, Json>

/** All objects in it that are schemas. */
function placesIn(schema: Json | undefined): Place[] {
  if (!isJsonObject(schema)) return []
  const { properties, items, additionalProperties, $defs } = schema
  const inner = [
    ...Object.values(isJsonObject(properties) ? properties : {}),
    ...Object.values(isJsonObject($defs) ? $defs : {}),
    items,
    additionalProperties,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
      Array.isArray(schema[key]) ? (schema[key] as Json[]) : [],
    ),
  ]
  return [schema as Place, ...inner.flatMap(placesIn)]
}

function change(place: Place, what: number, how: number): void {
  const { type } = place
  const names = Object.keys((place['properties'] as JsonObject | undefined) ?? {})
  const changes: (() => void)[] = [() => Object.assign(place, { description: 'changed' })]
  if (type === 'object') {
    const properties = place['properties'] as Place
    const required = place['required'] as string[]
    changes.push(
      () =>
        Object.assign(properties, {
          e: pick<Json>([{ type: 'string' }, { type: 'integer' }, { const: 'a' }], how),
        }),
      () => {
        const name = pick(names, how)
        if (name === undefined) return
        delete properties[name]
        place['required'] = required.filter((one) => one !== name)
      },
      () => Object.assign(place, { required: required.slice(1) }),
      () => Object.assign(place, { required: [...new Set([...required, ...names.slice(0, 1)])] }),
      () =>
        Object.assign(place, { additionalProperties: pick<Json>([true, false, { type: 'string' }], how) }),
      () => Object.assign(place, { maxProperties: how % 4 }),
    )
  }
  if (type === 'string')
    changes.push(
      () => Object.assign(place, { maxLength: how % 12 }),
      () => Object.assign(place, { minLength: how % 8 }),
      () => Object.assign(place, { format: pick(['uuid', 'date', 'email', 'uri'], how) }),
      () => delete place['maxLength'],
      () => delete place['format'],
      () => Object.assign(place, { enum: pick([['a'], ['a', 'b'], ['abcdefghij']], how) }),
    )
  if (type === 'integer' || type === 'number')
    changes.push(
      () => Object.assign(place, { minimum: (how % 9) - 4 }),
      () => Object.assign(place, { maximum: how % 15 }),
      () => Object.assign(place, { multipleOf: pick([1, 2, 3, 4], how) }),
      () => Object.assign(place, { type: type === 'integer' ? 'number' : 'integer' }),
      () => delete place['minimum'],
    )
  if (Array.isArray(place['enum'])) {
    const values = place['enum'] as readonly Json[]
    changes.push(
      () => Object.assign(place, { enum: [...values, 'z'] }),
      () => Object.assign(place, { enum: values.slice(1).length === 0 ? values : values.slice(1) }),
    )
  }
  for (const key of ['anyOf', 'oneOf'] as const) {
    const branches = place[key]
    if (!Array.isArray(branches)) continue
    changes.push(
      () =>
        Object.assign(place, {
          [key]: [
            ...(branches as readonly Json[]),
            pick<Json>(
              [
                { type: 'null' },
                { type: 'string', maxLength: 4 },
                { type: 'object', properties: { z: { type: 'string' } }, required: ['z'] },
              ],
              how,
            ),
          ],
        }),
      () => Object.assign(place, { [key]: branches.length > 1 ? branches.slice(1) : branches }),
      () => {
        delete place[key]
        place[key === 'anyOf' ? 'oneOf' : 'anyOf'] = branches
      },
    )
  }
  if (typeof type === 'string')
    changes.push(() =>
      Object.assign(place, { type: pick<Json>([[type, 'null'], 'string', 'integer', 'boolean'], how) }),
    )
  changes.push(() => Object.assign(place, { not: pick<Json>([{ const: 'a' }, { type: 'string' }], how) }))
  pick(changes, what)()
}
