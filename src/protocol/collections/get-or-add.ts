/** The value of a key; if there is none yet, it is made and kept. */
export function getOrAdd<Key, Value extends NonNullable<unknown>>(
  map: Map<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
