import { isJsonObject, type Json, type JsonObject } from '../../../../src/protocol/json/json.ts'

/** Other ways to write the same schema. Each takes a stream of numbers, so that it does something else each time. */
export type Rewrite = (schema: JsonObject, next: () => number) => JsonObject

/** Applies a change to every schema in a schema, from the inside out. */
function everywhere(schema: Json, change: (schema: JsonObject) => Json): Json {
  if (!isJsonObject(schema)) return schema
  const made: Record<string, Json> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined) continue
    if ((key === 'properties' || key === '$defs') && isJsonObject(value))
      made[key] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, everywhere(inner ?? true, change)]),
      )
    else if ((key === 'allOf' || key === 'anyOf' || key === 'oneOf') && Array.isArray(value))
      made[key] = value.map((inner: Json) => everywhere(inner, change))
    else made[key] = key === 'items' || key === 'additionalProperties' ? everywhere(value, change) : value
  }
  return change(made)
}

const shuffled = <Item>(items: readonly Item[], next: () => number): Item[] =>
  items
    .map((item) => ({ item, order: next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)

/** Keys, branches, values and required names in another order. */
export const reorder: Rewrite = (schema, next) =>
  everywhere(schema, (one) => {
    const entries = shuffled(Object.entries(one), next).map(([key, value]): [string, Json] => {
      const isSet = ['required', 'anyOf', 'oneOf', 'allOf', 'enum'].includes(key) && Array.isArray(value)
      if (isSet) return [key, shuffled(value as readonly Json[], next)]
      if (key === 'properties' && isJsonObject(value))
        return [key, Object.fromEntries(shuffled(Object.entries(value), next)) as Json]
      return [key, value ?? null]
    })
    return Object.fromEntries(entries)
  }) as JsonObject

/** Definitions under other names. */
export const renameDefinitions: Rewrite = (schema) => {
  const renamed = everywhere(schema, (one) =>
    typeof one['$ref'] === 'string'
      ? { ...one, $ref: one['$ref'].replace('/$defs/', '/$defs/Renamed') }
      : one,
  ) as JsonObject
  const defs = Object.entries((renamed['$defs'] as JsonObject | undefined) ?? {})
  return {
    ...renamed,
    $defs: Object.fromEntries(defs.map(([name, inner]) => [`Renamed${name}`, inner ?? true])),
  }
}

/** Null spelled in another of its three ways. */
export const respellNull: Rewrite = (schema, next) =>
  everywhere(schema, (one) => {
    const { type, ...rest } = one
    if (!Array.isArray(type) || !type.includes('null') || type.length !== 2) return one
    const [other] = (type as readonly Json[]).filter((name) => name !== 'null')
    if (next() % 2 === 0) return { ...rest, type: other ?? 'string', nullable: true }
    return { anyOf: [{ type: 'null' }, { ...rest, type: other ?? 'string' }] }
  }) as JsonObject

/** Everything wrapped where wrapping says nothing. */
export const wrap: Rewrite = (schema, next) =>
  everywhere(schema, (one) => {
    const { $defs, ...rest } = one
    const kept = $defs === undefined ? {} : { $defs }
    const key = (['allOf', 'anyOf', 'oneOf'] as const)[next() % 9]
    return key === undefined ? one : { ...kept, [key]: [rest] }
  }) as JsonObject

/** References written out, once. */
export const inline: Rewrite = (schema) => {
  const defs = (schema['$defs'] as JsonObject | undefined) ?? {}
  const { $defs, ...rest } = schema
  const inlined = everywhere(rest, (one) => {
    const name = typeof one['$ref'] === 'string' ? one['$ref'].slice('#/$defs/'.length) : undefined
    return name === undefined ? one : (defs[name] ?? one)
  }) as JsonObject
  return { ...inlined, ...($defs === undefined ? {} : { $defs }) }
}

/** `const` as an enum of one, and prose around it. */
export const annotate: Rewrite = (schema) =>
  everywhere(schema, (one) => {
    const { const: only, ...rest } = one
    return only === undefined
      ? { ...one, description: 'said in words', $comment: 'x' }
      : { ...rest, enum: [only] }
  }) as JsonObject

export const REWRITES: readonly Rewrite[] = [reorder, renameDefinitions, respellNull, wrap, inline, annotate]

/** Numbers without end from one, the same for the same one. */
export function stream(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
