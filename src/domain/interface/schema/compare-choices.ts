import type { Json } from '../../../protocol/json/json.ts'
import { WORK } from '../budget.ts'
import { change } from '../difference.ts'
import { quoted, shown } from '../judge/shown.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import type { Comparison } from './compare.ts'
import { compareAtoms } from './compare-atoms.ts'
import { once } from './fewer.ts'
import { pairObjects, tagsOf } from './pair-objects.ts'

/** Compares all that two schemas say of one type: mostly one atom each, several where they are unions. */
export function compareChoices(
  olds: readonly Atom[],
  news: readonly Atom[],
  comparison: Comparison,
): readonly Difference[] {
  const old = olds[0]
  const now = news[0]
  if (old === undefined || now === undefined) return []
  if (olds.length === 1 && news.length === 1) return compareAtoms(old, now, comparison)
  return once(
    old.type === 'object'
      ? compareObjects(olds, news, comparison)
      : compareByAcceptance(olds, news, comparison),
  )
}

/** Open objects accept each other, so that acceptance says nothing of them: they are paired, then compared. */
function compareObjects(olds: readonly Atom[], news: readonly Atom[], comparison: Comparison): Difference[] {
  const { pairs, left, added } = pairObjects(olds, news, comparison)
  return [
    ...pairs.flatMap(([old, now]) => compareAtoms(old, now, comparison)),
    ...left.map((atom) => gone(atom, 'yes', tagsOf(atom, comparison.old))),
    ...added.map((atom) => come(atom, 'yes', tagsOf(atom, comparison.new))),
  ]
}

function compareByAcceptance(
  olds: readonly Atom[],
  news: readonly Atom[],
  comparison: Comparison,
): readonly Difference[] {
  comparison.budget.spend(olds.length * news.length * WORK.trial)
  const found = olds.map((old) =>
    news.map((now) => comparison.trial(() => compareAtoms(old, now, comparison))),
  )
  const isSame = (old: number, now: number) => found[old]?.[now]?.length === 0
  const left = olds.map((_, index) => index).filter((old) => !news.some((_, now) => isSame(old, now)))
  const added = news.map((_, index) => index).filter((now) => !olds.some((_, old) => isSame(old, now)))
  const [one, other] = [left[0], added[0]]
  if (left.length === 1 && added.length === 1 && one !== undefined && other !== undefined)
    return found[one]?.[other] ?? []
  const likely = [...olds, ...news].every(isFormatOnly) ? 'yes' : 'unsure'
  const isTaken = (old: number) =>
    news.some((_, now) => found[old]?.[now]?.every(({ narrows }) => narrows === 'no'))
  const isKnown = (now: number) =>
    olds.some((_, old) => found[old]?.[now]?.every(({ widens }) => widens === 'no'))
  if (left.length + added.length === 0) return []
  return [
    REGROUPED,
    ...left.filter((old) => !isTaken(old)).map((old) => gone(olds[old], news.length === 1 ? 'yes' : likely)),
    ...added.filter((now) => !isKnown(now)).map((now) => come(news[now], olds.length === 1 ? 'yes' : likely)),
  ]
}

/** Other branches may still take the same values. */
const REGROUPED = change('branches-regrouped', 'no', 'no')

/** Several ranges together can cover another one; several known formats cannot. */
const isFormatOnly = (atom: Atom): boolean =>
  atom.type === 'string' &&
  atom.values === null &&
  atom.formats.length === 1 &&
  atom.patterns.length === 0 &&
  atom.fewest === 0 &&
  atom.most === Number.POSITIVE_INFINITY

const gone = (atom: Atom | undefined, likely: Likely, tags?: Tags): Difference =>
  change('branch-removed', likely, 'no', {
    before: branchData(atom, tags),
    beforeWords: branchWords(atom, tags),
  })

const come = (atom: Atom | undefined, likely: Likely, tags?: Tags): Difference =>
  change('branch-added', 'no', likely, { after: branchData(atom, tags), afterWords: branchWords(atom, tags) })

type Tags = ReturnType<typeof tagsOf>

/** What people call one of several: its name and what tells it apart, else what it has. */
function branchWords(atom: Atom | undefined, tags: Tags = NO_TAGS): string {
  if (atom === undefined) return ''
  const [name] = atom.names.map(shown)
  const tag = tagIn(atom, tags)
  if (tag !== undefined) return `${name ?? atom.type} with ${shown(tag)} ${quoted(textIn(tags.get(tag)))}`
  if (name !== undefined) return name
  const inside = [...atom.properties.keys(), ...atom.formats].sort().slice(0, 5)
  return inside.length === 0 ? atom.type : `${atom.type} with ${inside.map(shown).join(', ')}`
}

/** Tags are kept as canonical text. */
const textIn = (text: string | undefined): Json => (text === undefined ? null : (JSON.parse(text) as Json))

const NO_TAGS: Tags = new Map()

function tagIn({ tag }: Atom, tags: Tags): string | undefined {
  const [first] = [...tags.keys()].sort()
  return tag !== null && tags.has(tag) ? tag : first
}

/** What it is known by, whatever people call it: what tells it apart, else what it takes. */
function branchData(atom: Atom | undefined, tags: Tags = NO_TAGS): Json {
  if (atom === undefined) return null
  const { type, formats, patterns, fewest, most, low, high, values } = atom
  const tag = tagIn(atom, tags)
  if (tag !== undefined) return { type, tag: [tag, tags.get(tag) ?? null] }
  return {
    type,
    names: [...atom.properties.keys()].sort().slice(0, MOST_NAMES),
    values: [...(values?.keys() ?? [])].sort().slice(0, MOST_NAMES),
    formats,
    patterns,
    size: [fewest, Number.isFinite(most) ? most : null],
    range: [low?.value ?? null, high?.value ?? null],
  }
}

/** Of properties and values that tell a part of a union apart. */
const MOST_NAMES = 20
