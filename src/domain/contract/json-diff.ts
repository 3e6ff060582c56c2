import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { type ListAlignment, listAlignment } from './align-lists.ts'

// The page in the browser shares this file: it must reach no package and no `node:`.

/** `+`: only in the second; `-`: only in the first; `~`: changed value. */
export interface Difference {
  readonly mark: '+' | '-' | '~'
  /** Such as `response.roles[2]`, counted in the second unless it is only in the first; empty for the whole value. */
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

/** How many differences are listed, and how many values are compared. */
interface DiffBounds {
  readonly listed: number
  readonly compared: number
}

const ONE_LINE: DiffBounds = { listed: 20, compared: 5000 }
export const WHOLE_CONTENT: DiffBounds = { listed: 2000, compared: 200_000 }

/** Comparing two items of lists is cheaper than comparing what is in them. */
const PAIRS_PER_VALUE = 10

/** The differences of two JSON values on one line: `+response.avatar -errors.404 ~path`. Empty if they are equal. */
export function describeDiff(before: Json, after: Json): string {
  const { differences, isCut } = differencesOf(before, after, ONE_LINE)
  const listed = ORDER.flatMap((mark) =>
    differences
      .filter((one) => one.mark === mark)
      .map(({ path }) => mark + (path === '' ? 'everything' : path)),
  )
  return [...listed, ...(isCut ? ['…'] : [])].join(' ')
}

/** The differences of two JSON values, with both values, in the order of their keys. */
export function differencesOf(before: Json, after: Json, most: DiffBounds = WHOLE_CONTENT) {
  const found: Difference[] = []
  const lists = listAlignment({ values: most.compared, pairs: PAIRS_PER_VALUE * most.compared })
  let compared = 0
  for (const difference of compare('', before, after, lists)) {
    if (difference !== undefined) found.push(difference)
    if (++compared > most.compared || found.length > most.listed) break
  }
  // There are more, or not all was compared.
  const isCut = compared > most.compared || found.length > most.listed
  return { differences: found.slice(0, most.listed), isCut }
}

const ORDER = ['+', '-', '~'] as const

type Walk = Iterable<Difference | undefined>

/** Yields undefined for every compared pair that is no difference itself, so that the caller can count comparisons. */
function* compare(path: string, a: Json, b: Json, lists: ListAlignment): Walk {
  if (a === b) yield undefined
  else if (Array.isArray(a) && Array.isArray(b)) yield* compareLists(path, a, b, lists)
  else if (isObject(a) && isObject(b)) yield* compareObjects(path, a, b, lists)
  else yield { mark: '~', path, before: a, after: b }
}

function* compareLists(path: string, a: readonly Json[], b: readonly Json[], lists: ListAlignment): Walk {
  for (const { before: x, after: y } of lists.align(a, b))
    yield* comparePart(`${path}[${y ?? x}]`, at(a, x), at(b, y), lists)
}

function* compareObjects(path: string, a: JsonObject, b: JsonObject, lists: ListAlignment): Walk {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  for (const key of keys)
    yield* comparePart(path === '' ? key : `${path}.${key}`, own(a, key), own(b, key), lists)
}

/** One of them may be missing. */
function* comparePart(path: string, a: Json | undefined, b: Json | undefined, lists: ListAlignment): Walk {
  if (a === undefined && b === undefined) return
  if (a === undefined) yield { mark: '+', path, after: b as Json }
  else if (b === undefined) yield { mark: '-', path, before: a }
  else yield* compare(path, a, b, lists)
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (items: readonly Json[], place: number | undefined): Json | undefined =>
  place === undefined ? undefined : items[place]

/** Keys such as `constructor` are inherited by every object. */
const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
