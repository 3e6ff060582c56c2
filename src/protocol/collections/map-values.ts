/** The same keys, each with what becomes of its value. */
export const mapValues = <Value, Other>(
  object: Readonly<Record<string, Value>>,
  become: (value: Value, key: string) => Other,
): Record<string, Other> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, become(value, key)]))
