/** Any JSON, as the page receives it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonFields
export interface JsonFields {
  readonly [key: string]: JsonValue
}

export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value)

export const isFields = (value: JsonValue | undefined): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys such as `constructor` are inherited by every object. */
export const own = (fields: JsonFields, key: string): JsonValue | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined

/** In an order that does not depend on how the JSON was written. */
export const sortedKeys = (fields: JsonFields): string[] => Object.keys(fields).sort()

/** Equal values have equal text. */
export function canonical(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value)
  const fields = sortedKeys(value).map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`)
  return `{${fields.join(',')}}`
}
