import { getOrAdd } from './get-or-add.ts'

/** Computes a value once for each object and keeps it as long as the object lives: for objects that never change. */
export function oncePer<Key extends object, Value extends NonNullable<unknown>>(
  find: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => getOrAdd(known, key, find)
}
