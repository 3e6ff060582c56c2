import { compareText } from '../protocol/canonical.ts'
import { isJsonObject, type Json } from '../protocol/json.ts'

/** `+`: only in the second; `-`: only in the first; `~`: another value. */
interface Difference {
  readonly mark: '+' | '-' | '~'
  /** Such as `response.roles[2]`. */
  readonly path: string
}

/** Differences that are told, and values that are looked at for it. */
const TOLD = 20
const LOOKS = 5000

/** Where two pieces of JSON differ, on one line: `+response.avatar -errors.404 ~path`. Empty where they do not. */
export function describeDiff(before: Json, after: Json): string {
  const found: Difference[] = []
  let looks = 0
  for (const difference of compare('', before, after)) {
    if (difference !== undefined) found.push(difference)
    if (++looks > LOOKS || found.length > TOLD) break
  }
  const isCut = looks > LOOKS || found.length > TOLD
  const told = ORDER.flatMap((mark) =>
    found
      .slice(0, TOLD)
      .filter((one) => one.mark === mark)
      .map(({ path }) => mark + (path === '' ? 'everything' : path)),
  )
  return [...told, ...(isCut ? ['…'] : [])].join(' ')
}

const ORDER = ['+', '-', '~'] as const

/** Undefined for two values that were looked at and are no difference by themselves. */
function* compare(path: string, a: Json, b: Json): Iterable<Difference | undefined> {
  if (a === b) return yield undefined
  const [left, right] = [partsOf(a), partsOf(b)]
  if (left === undefined || right === undefined || left.isList !== right.isList)
    return yield { mark: '~', path }
  for (const key of keysOf(left, right)) {
    const inner = pathTo(path, key, left.isList)
    const [x, y] = [left.parts.get(key), right.parts.get(key)]
    if (x === undefined) yield { mark: '+', path: inner }
    else if (y === undefined) yield { mark: '-', path: inner }
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
