/** The first values, at most this many, which must be one or more; what follows is not looked at. */
export function firstOf<Value>(values: Iterable<Value>, most: number): Value[] {
  const first: Value[] = []
  for (const value of values) if (first.push(value) === most) break
  return first
}

export function* filtered<Value>(some: Iterable<Value>, isMeant: (value: Value) => boolean): Iterable<Value> {
  for (const one of some) if (isMeant(one)) yield one
}

export function findIn<Value>(some: Iterable<Value>, isMeant: (value: Value) => boolean): Value | undefined {
  for (const one of some) if (isMeant(one)) return one
  return undefined
}

/** Whether there is one, or one that is meant. */
export function isAny<Value>(
  some: Iterable<Value>,
  isMeant: (value: Value) => boolean = () => true,
): boolean {
  for (const one of some) if (isMeant(one)) return true
  return false
}
