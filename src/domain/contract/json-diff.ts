import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'

/** `+`: only in the second; `-`: only in the first; `~`: another value. */
export interface Difference {
  readonly mark: '+' | '-' | '~'
  /** Such as `response.roles[2]`; empty: all of it. */
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

/** Differences that are told, and values that are looked at for it. */
const TOLD = 20
const LOOKS = 5000
/** The same where all of a content is compared. */
const LISTED = { told: 500, looks: 200_000 }

/** Where two pieces of JSON differ, on one line: `+response.avatar -errors.404 ~path`. Empty where they do not. */
export function describeDiff(before: Json, after: Json): string {
  const { differences, isCut } = differencesOf(before, after, { told: TOLD, looks: LOOKS })
  const told = ORDER.flatMap((mark) =>
    differences
      .filter((one) => one.mark === mark)
      .map(({ path }) => mark + (path === '' ? 'everything' : path)),
  )
  return [...told, ...(isCut ? ['…'] : [])].join(' ')
}

/** Where two pieces of JSON differ, with both values, in the order of their keys. */
export function differencesOf(
  before: Json,
  after: Json,
  most: { readonly told: number; readonly looks: number } = LISTED,
): { readonly differences: readonly Difference[]; readonly isCut: boolean } {
  const found: Difference[] = []
  let looks = 0
  for (const difference of compare('', before, after)) {
    if (difference !== undefined) found.push(difference)
    if (++looks > most.looks || found.length > most.told) break
  }
  const isCut = looks > most.looks || found.length > most.told
  return { differences: found.slice(0, most.told), isCut }
}

const ORDER = ['+', '-', '~'] as const

/** Undefined for two values that were looked at and are no difference by themselves. */
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

/** Undefined of what has none. */
function partsOf(value: Json): Parts | undefined {
  if (Array.isArray(value))
    return { isList: true, parts: new Map(value.map((one, index) => [String(index), one])) }
  if (!isJsonObject(value)) return undefined
  const parts = new Map<string, Json>()
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) parts.set(key, inner)
  return { isList: false, parts }
}

/** In an order that does not depend on who wrote them. */
function keysOf({ isList, parts: a }: Parts, { parts: b }: Parts): string[] {
  if (isList) return [...(a.size > b.size ? a : b).keys()]
  return [...new Set([...a.keys(), ...b.keys()])].sort(compareText)
}

const pathTo = (path: string, key: string, isList: boolean): string =>
  isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
