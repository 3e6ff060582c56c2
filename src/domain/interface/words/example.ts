/** Texts that can only be a value, never a type: dates, addresses, ids, numbers. */
const VALUES: readonly RegExp[] = [
  /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}$/,
  /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[+-]?\d+(?:\.\d+)?$/,
]

export const isExampleText = (text: string): boolean =>
  text.length <= 200 && VALUES.some((pattern) => pattern.test(text))
