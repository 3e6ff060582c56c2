/** The first values, at most this many, which must be one or more; what follows is not looked at. */
export function firstOf<Value>(values: Iterable<Value>, most: number): Value[] {
  const first: Value[] = []
  for (const value of values) if (first.push(value) === most) break
  return first
}

export function* filtered<Value>(some: Iterable<Value>, isMeant: (value: Value) => boolean): Iterable<Value> {
  for (const one of some) if (isMeant(one)) yield one
}
