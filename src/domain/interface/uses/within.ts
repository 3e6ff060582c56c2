/** Elements of lists are part of the list, so that nobody has to write the brackets. */
export const plainPlace = (place: string): string =>
  place.includes('[]') ? place.replaceAll('[]', '') : place

/** `request.body.name` is within `request.body`, and all of an operation within `GET /users`. */
export const isWithin = (inner: string, outer: string): boolean =>
  isWithinPlain(plainPlace(inner), plainPlace(outer))

/** The same of plain places. */
export function isWithinPlain(inner: string, outer: string): boolean {
  if (!inner.startsWith(outer)) return false
  const next = inner[outer.length]
  return next === undefined || next === '.' || next === '[' || next === ':'
}

export const overlaps = (a: string, b: string): boolean => overlapsPlain(plainPlace(a), plainPlace(b))

export const overlapsPlain = (a: string, b: string): boolean => isWithinPlain(a, b) || isWithinPlain(b, a)

/** What a place is inside of. */
export const placesAround = (at: string): string[] =>
  Array.from(at.matchAll(/[.[:]/g), ({ index }) => at.slice(0, index))
