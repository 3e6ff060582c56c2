/** The value of a key; if there is none yet, it is made and kept. */
export function getOrAdd<Key, Value extends NonNullable<unknown>>(
  map: Pick<Map<Key, Value>, 'get'> & { set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make(key)
    map.set(key, value)
  }
  return value
}
