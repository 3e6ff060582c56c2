/** Elements of lists are part of the list, so that nobody has to write the brackets. */
export const plainPlace = (place: string): string => place.replaceAll('[]', '')

/** `request.body.name` is within `request.body`, and all of an operation within `GET /users`. */
export function isWithin(inner: string, outer: string): boolean {
  const [one, other] = [plainPlace(inner), plainPlace(outer)]
  return one === other || (one.startsWith(other) && /^[.[:]/.test(one.slice(other.length)))
}

export const overlaps = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a)
