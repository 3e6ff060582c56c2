import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'

/** `+`: only in the second; `-`: only in the first; `~`: changed value. */
interface Difference {
  readonly mark: '+' | '-' | '~'
  /** Such as `response.roles[2]`; empty for the whole value. */
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

/** Most differences listed, and most values compared, on one line. */
const MOST_LISTED = 20
const MOST_COMPARED = 5000
/** The same limits where a whole content is compared. */
const WHOLE_CONTENT = { listed: 500, compared: 200_000 }

/** The differences of two JSON values on one line: `+response.avatar -errors.404 ~path`. Empty if they are equal. */
export function describeDiff(before: Json, after: Json): string {
  const { differences, isCut } = differencesOf(before, after, {
    listed: MOST_LISTED,
    compared: MOST_COMPARED,
  })
  const listed = ORDER.flatMap((mark) =>
    differences
      .filter((one) => one.mark === mark)
      .map(({ path }) => mark + (path === '' ? 'everything' : path)),
  )
  return [...listed, ...(isCut ? ['…'] : [])].join(' ')
}

/** The differences of two JSON values, with both values, in the order of their keys. */
export function differencesOf(
  before: Json,
  after: Json,
  most: { readonly listed: number; readonly compared: number } = WHOLE_CONTENT,
): { readonly differences: readonly Difference[]; readonly isCut: boolean } {
  const found: Difference[] = []
  let compared = 0
  for (const difference of compare('', before, after)) {
    if (difference !== undefined) found.push(difference)
    if (++compared > most.compared || found.length > most.listed) break
  }
  const isCut = compared > most.compared || found.length > most.listed
  return { differences: found.slice(0, most.listed), isCut }
}

const ORDER = ['+', '-', '~'] as const

/** Yields undefined for every compared pair that is no difference itself, so that the caller can count comparisons. */
function* compare(path: string, a: Json, b: Json): Iterable<Difference | undefined> {
  if (a === b) return yield undefined
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left === undefined || right === undefined || left.isList !== right.isList)
    return yield { mark: '~', path, before: a, after: b }
  for (const key of keysOf(left, right)) {
    const inner = pathTo(path, key, left.isList)
    const [x, y] = [left.parts.get(key), right.parts.get(key)]
    if (x === undefined) yield { mark: '+', path: inner, after: y as Json }
    else if (y === undefined) yield { mark: '-', path: inner, before: x }
    else yield* compare(inner, x, y)
  }
}

interface Parts {
  readonly isList: boolean
  readonly parts: ReadonlyMap<string, Json>
}

/** Undefined for a value without parts. */
function partsOf(value: Json): Parts | undefined {
  if (Array.isArray(value))
    return { isList: true, parts: new Map(value.map((one, index) => [String(index), one])) }
  if (!isJsonObject(value)) return undefined
  const parts = new Map<string, Json>()
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) parts.set(key, inner)
  return { isList: false, parts }
}

/** In an order that does not depend on how the JSON was written. */
function keysOf({ isList, parts: a }: Parts, { parts: b }: Parts): string[] {
  if (isList) return [...(a.size > b.size ? a : b).keys()]
  return [...new Set([...a.keys(), ...b.keys()])].sort(compareText)
}

const pathTo = (path: string, key: string, isList: boolean): string =>
  isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
