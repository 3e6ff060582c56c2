import { canonical, isFields, type JsonFields, type JsonValue, own } from '../../json/value.ts'

/** A field in which two versions contradict each other. Lists count as one value: half of each would be nobody's. */
export interface Contradiction {
  /** The keys that lead to it. */
  readonly path: readonly string[]
  /** What both came from; undefined: it was not there. */
  readonly base: JsonValue | undefined
  readonly stands: JsonValue | undefined
  readonly lost: JsonValue | undefined
}

export type Choice = 'stands' | 'lost'

/** The fields in which the version that stands and the one that lost differ, in the order of their keys. */
export function contradictions(
  base: JsonFields | undefined,
  stands: JsonFields,
  lost: JsonFields,
): readonly Contradiction[] {
  return [...compare([], base, stands, lost)]
}

function* compare(
  path: readonly string[],
  base: JsonValue | undefined,
  stands: JsonValue | undefined,
  lost: JsonValue | undefined,
): Generator<Contradiction> {
  if (!isFields(stands) || !isFields(lost)) {
    if (!isSame(stands, lost)) yield { path, base, stands, lost }
    return
  }
  for (const key of [...new Set([...Object.keys(stands), ...Object.keys(lost)])].sort())
    yield* compare(
      [...path, key],
      isFields(base) ? own(base, key) : undefined,
      own(stands, key),
      own(lost, key),
    )
}

/** What is usually wanted: a change, where only one side made one. */
export const usualChoice = ({ base, stands }: Contradiction): Choice =>
  isSame(base, stands) ? 'lost' : 'stands'

/** The version that stands, with those fields of the other one that were chosen. */
export function merged(
  stands: JsonFields,
  found: readonly Contradiction[],
  choiceOf: (one: Contradiction) => Choice,
): JsonFields {
  return found
    .filter((one) => choiceOf(one) === 'lost')
    .reduce<JsonFields>((content, { path, lost }) => withValue(content, path, lost), stands)
}

function withValue(content: JsonFields, path: readonly string[], value: JsonValue | undefined): JsonFields {
  const [key = '', ...rest] = path
  const inner = own(content, key)
  const next = rest.length === 0 ? value : withValue(isFields(inner) ? inner : {}, rest, value)
  const others = Object.entries(content).filter(([name]) => name !== key)
  // Built from entries, because a key may be one that objects inherit.
  return Object.fromEntries(next === undefined ? others : [...others, [key, next]])
}

export const pathText = (path: readonly string[]): string =>
  path.length === 0 ? 'all of it' : path.join('.')

export const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : canonical(a) === canonical(b)
