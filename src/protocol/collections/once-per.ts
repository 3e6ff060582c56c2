/** Computes a value once for each object and keeps it as long as the object lives: for objects that never change. */
export function oncePer<Key extends object, Value extends NonNullable<unknown>>(
  find: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = find(key)
      known.set(key, value)
    }
    return value
  }
}
