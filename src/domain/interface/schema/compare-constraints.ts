import type { Json } from '../../../protocol/json/json.ts'
import { addAll } from '../add-all.ts'
import { change } from '../difference.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom, Bound } from './atom.ts'
import { multipleFit } from './fits.ts'
import { formatNarrows } from './format.ts'

/** What two atoms of one type say differently of values themselves; what is inside lists and objects comes elsewhere. */
export function constraintDifferences(before: Atom, after: Atom): Difference[] {
  const found = textDifferences(before, after)
  // Most atoms say nothing of most of these, and each of them is asked for every property of a document.
  if (before.isInteger !== after.isInteger) addAll(found, wholeNumbers(before, after))
  if (before.low !== after.low) addAll(found, bound('minimum', before.low, after.low))
  if (before.high !== after.high) addAll(found, bound('maximum', before.high, after.high))
  if (before.steps.length + after.steps.length > 0) addAll(found, steps(before, after))
  if (before.fewest !== after.fewest || before.most !== after.most) addAll(found, size(before, after))
  if (before.isUnique !== after.isUnique) addAll(found, uniqueness(before, after))
  return found
}

/** What is compared as it is written. */
export function textDifferences(before: Atom, after: Atom): Difference[] {
  const found: Difference[] = []
  if (before.patterns.length + after.patterns.length > 0)
    addAll(found, patterns(before.patterns, after.patterns))
  if (before.formats.length + after.formats.length > 0) addAll(found, formats(before.formats, after.formats))
  if (before.extras.size + after.extras.size > 0) addAll(found, extraDifferences(before, after))
  return found
}

function told(
  keyword: string,
  { narrows, widens, ...more }: Omit<Difference, 'path' | 'kind'>,
): Difference[] {
  if (narrows === 'no' && widens === 'no') return []
  const way = narrows === 'no' ? 'widened' : widens === 'no' ? 'narrowed' : 'changed'
  return [change(`${keyword}-${way}`, narrows, widens, more)]
}

/** Of what can only be stricter (more than 0) or looser (less). */
const moved = (keyword: string, stricter: number, more: Partial<Difference>): Difference[] =>
  told(keyword, { narrows: stricter > 0 ? 'yes' : 'no', widens: stricter < 0 ? 'yes' : 'no', ...more })

function wholeNumbers(before: Atom, after: Atom): Difference[] {
  if (before.isExample && after.isExample) return []
  const likely: Likely = before.isExample || after.isExample ? 'unsure' : 'yes'
  const word = (atom: Atom) => (atom.isInteger ? 'integer' : 'number')
  const words = { before: word(before), after: word(after) }
  return [change('type-changed', after.isInteger ? likely : 'no', before.isInteger ? likely : 'no', words)]
}

function bound(keyword: 'minimum' | 'maximum', before: Bound | null, after: Bound | null): Difference[] {
  const sign = keyword === 'minimum' ? 1 : -1
  const order = strictness(after, sign) - strictness(before, sign) || openness(after) - openness(before)
  return moved(keyword, order, {
    ...(before === null ? {} : { before: boundData(before), beforeWords: boundWords(before) }),
    ...(after === null ? {} : { after: boundData(after), afterWords: boundWords(after) }),
  })
}

const strictness = (one: Bound | null, sign: 1 | -1): number =>
  one === null ? -Number.MAX_VALUE : sign * one.value
const openness = (one: Bound | null): number => (one?.isOpen === true ? 1 : 0)
const boundData = ({ value, isOpen }: Bound): Json => (isOpen ? { value, isOpen } : value)
const boundWords = ({ value, isOpen }: Bound): string => (isOpen ? `${value} (exclusive)` : String(value))

function steps(before: Atom, after: Atom): Difference[] {
  if (before.steps.join() === after.steps.join()) return []
  return told('multipleOf', {
    narrows: notMultiple(after, before),
    widens: notMultiple(before, after),
    before: [...before.steps],
    after: [...after.steps],
  })
}

/** Whether multiples of all steps of the second may be none of the first. */
function notMultiple(of: Atom, among: Atom): Likely {
  const likely = of.steps.map((step): Likely => {
    const fits = [...among.steps, ...(among.isInteger ? [1] : [])].map((had) => multipleFit(had, step))
    if (fits.includes('yes')) return 'no'
    return fits.includes('unsure') || among.steps.length > 1 ? 'unsure' : 'yes'
  })
  return likely.includes('yes') ? 'yes' : likely.includes('unsure') ? 'unsure' : 'no'
}

const SIZES: Record<string, string> = { string: 'Length', array: 'Items', object: 'Properties' }

function size(before: Atom, after: Atom): Difference[] {
  const noun = SIZES[before.type]
  if (noun === undefined) return []
  // Of two without a bound the difference is no number, and nothing is told.
  return [
    ...moved(`min${noun}`, after.fewest - before.fewest, { before: before.fewest, after: after.fewest }),
    ...moved(`max${noun}`, before.most - after.most, {
      ...(Number.isFinite(before.most) ? { before: before.most } : {}),
      ...(Number.isFinite(after.most) ? { after: after.most } : {}),
    }),
  ]
}

function patterns(before: readonly string[], after: readonly string[]): Difference[] {
  const removed = before.filter((one) => !after.includes(one))
  const added = after.filter((one) => !before.includes(one))
  const isChanged = removed.length > 0 && added.length > 0
  return told('pattern', {
    narrows: isChanged ? 'unsure' : added.length > 0 ? 'yes' : 'no',
    widens: isChanged ? 'unsure' : removed.length > 0 ? 'yes' : 'no',
    before: removed,
    after: added,
  })
}

function formats(before: readonly string[], after: readonly string[]): Difference[] {
  return told('format', {
    narrows: formatNarrows(before, after),
    widens: formatNarrows(after, before),
    before: [...before],
    after: [...after],
  })
}

function uniqueness(before: Atom, after: Atom): Difference[] {
  const stricter = Number(after.isUnique) - Number(before.isUnique)
  return moved('uniqueItems', stricter, { before: before.isUnique, after: after.isUnique })
}

/** Conditions that nobody modelled: one more can only narrow, one less can only widen, a changed one is unsure. */
function extraDifferences(before: Atom, after: Atom): Difference[] {
  const removed = [...before.extras].filter(([text]) => !after.extras.has(text))
  const added = [...after.extras].filter(([text]) => !before.extras.has(text))
  const keywords = new Set([...removed, ...added].map(([, keyword]) => keyword))
  return [...keywords].flatMap((keyword) => {
    const isGone = removed.some(([, one]) => one === keyword)
    const isNew = added.some(([, one]) => one === keyword)
    const isUnsure = (isGone && isNew) || letsThrough(keyword, before, after)
    return told(keyword, {
      narrows: isUnsure ? 'unsure' : isNew ? 'yes' : 'no',
      widens: isUnsure ? 'unsure' : isGone ? 'yes' : 'no',
    })
  })
}

/** A pattern of names is no mere condition where it says which names are let through. */
const letsThrough = (keyword: string, before: Atom, after: Atom): boolean =>
  keyword === 'patternProperties' &&
  [before, after].some(({ others }) => others === 'none' || others.length > 0)
