import { oncePer } from '../../../protocol/collections/once-per.ts'
import { compareText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import { WORK } from '../budget.ts'
import type { Atom } from './atom.ts'
import type { Comparison } from './compare.ts'
import { compareAtoms } from './compare-atoms.ts'
import type { Normaliser } from './normalise.ts'

/**
 * Which object of a new union is which of the old one: by a tag that all of them have, else first those that are the same,
 * then by name, by a tag with one value, by at least half of their declared properties. The order in which they were
 * written says nothing.
 */
export function pairObjects(olds: readonly Atom[], news: readonly Atom[], comparison: Comparison) {
  comparison.budget.spend(olds.length * news.length * WORK.pairing)
  const left = new Set(olds)
  const added = new Set(news)
  const pairs: [Atom, Atom][] = []
  const pair = (old: Atom, now: Atom) => {
    if (!left.delete(old)) return
    added.delete(now)
    pairs.push([old, now])
  }
  for (const [old, now] of pairsByTag(olds, news)) pair(old, now)
  for (const old of left)
    for (const now of added)
      if (looksAlike(old, now) && isSame(old, now, comparison)) {
        pair(old, now)
        break
      }
  const tags = new Map<Atom, ReadonlyMap<string, string>>()
  for (const old of left) tags.set(old, tagsOf(old, comparison.old))
  for (const now of added) tags.set(now, tagsOf(now, comparison.new))
  comparison.budget.spend(left.size * added.size)
  const byScore: { old: Atom; now: Atom; score: number }[] = []
  for (const old of left)
    for (const now of added) {
      const score = scoreOf(old, now, tags)
      if (score > 0) byScore.push({ old, now, score })
    }
  byScore.sort((a, b) => b.score - a.score || compareText(wordsOf(a.old, a.now), wordsOf(b.old, b.now)))
  for (const { old, now } of byScore) if (left.has(old) && added.has(now)) pair(old, now)
  // A branch that is written twice, or is now written once, is no branch less.
  for (const old of [...left])
    if (news.some((now) => looksAlike(old, now) && isSame(old, now, comparison))) left.delete(old)
  for (const now of [...added])
    if (olds.some((old) => looksAlike(old, now) && isSame(old, now, comparison))) added.delete(now)
  return { pairs, left: [...left], added: [...added] }
}

/** Where a property tells all parts of both unions apart, nothing has to be compared to see which belong together. */
function pairsByTag(olds: readonly Atom[], news: readonly Atom[]): [Atom, Atom][] {
  const sides = [olds.map(writtenTags), news.map(writtenTags)] as const
  const isTag = (name: string) => sides.every((all) => new Set(valuesIn(all, name)).size === all.length)
  const tag = [...(sides[0][0]?.keys() ?? [])].sort(compareText).find(isTag)
  if (tag === undefined) return []
  const values = valuesIn(sides[1], tag)
  return olds.flatMap((old, index): [Atom, Atom][] => {
    const now = news[values.indexOf(sides[0][index]?.get(tag) ?? '')]
    return now === undefined ? [] : [[old, now]]
  })
}

const valuesIn = (all: readonly ReadonlyMap<string, string>[], name: string): readonly string[] =>
  all.flatMap((tags) => tags.get(name) ?? [])

/** Properties that are written as one text; found out once, for unions that lead to each other are met often. */
const writtenTags = oncePer((atom: Atom): ReadonlyMap<string, string> => {
  const tags = new Map<string, string>()
  for (const [name, source] of atom.properties)
    for (const { schema } of source) {
      const only = isJsonObject(schema) ? (schema['const'] ?? onlyOf(schema['enum'])) : undefined
      if (typeof only === 'string') tags.set(name, only)
    }
  return tags
})

const onlyOf = (values: Json | undefined): Json | undefined =>
  Array.isArray(values) && values.length === 1 ? (values[0] as Json) : undefined

/** Which properties it declares and requires; found out once, for it is asked for every pair. */
const namesIn = oncePer(
  ({ properties, required }: Atom) =>
    `${[...properties.keys()].sort().join()};${[...required].sort().join()}`,
)

const looksAlike = (a: Atom, b: Atom): boolean =>
  a.properties.size === b.properties.size && namesIn(a) === namesIn(b)

const isSame = (old: Atom, now: Atom, comparison: Comparison): boolean =>
  comparison.trial(() => compareAtoms(old, now, comparison)).length === 0

const wordsOf = (old: Atom, now: Atom): string => `${namesIn(old)}|${namesIn(now)}`

const [BY_NAME, BY_TAG, BY_PROPERTIES] = [1000, 500, 100]

function scoreOf(old: Atom, now: Atom, tags: ReadonlyMap<Atom, ReadonlyMap<string, string>>): number {
  const likeness = likenessOf(old, now)
  if (old.names.some((name) => now.names.includes(name))) return BY_NAME + likeness
  for (const [property, value] of tags.get(old) ?? []) {
    const other = tags.get(now)?.get(property)
    if (other !== undefined) return other === value ? BY_TAG + likeness : 0
  }
  return likeness >= 0.5 ? BY_PROPERTIES * likeness + requiredLikeness(old, now) : 0
}

function likenessOf(old: Atom, now: Atom): number {
  let shared = 0
  for (const name of old.properties.keys()) if (now.properties.has(name)) shared++
  const most = Math.max(old.properties.size, now.properties.size)
  return most === 0 ? 1 : shared / most
}

function requiredLikeness(old: Atom, now: Atom): number {
  let shared = 0
  for (const name of old.required) if (now.required.has(name)) shared++
  const all = old.required.size + now.required.size - shared
  return all === 0 ? 1 : shared / all
}

/** Properties that have one text as their only value. */
export function tagsOf(atom: Atom, normaliser: Normaliser): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const [name, source] of atom.properties) {
    const [only, more] = normaliser.normal(source).atoms
    const texts = only?.type === 'string' && more === undefined ? [...(only.values?.keys() ?? [])] : []
    if (texts.length === 1 && texts[0] !== undefined) tags.set(name, texts[0])
  }
  return tags
}
