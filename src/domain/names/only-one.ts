import { firstOf } from '../../protocol/collections/iterables.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { nearTo } from '../../protocol/text/closest.ts'
import { isUuid } from '../../protocol/text/uuid.ts'
import type { InboxItem } from '../inbox/item-shape.ts'
import { quoted } from './quoted.ts'

/** Finds the one entity that a word means; an ambiguous word is refused with the candidates to choose from. */

export interface Kind<Value> {
  readonly plural: string
  readonly about: (value: Value) => Candidate
  /** Whether the entity has ended, so that another one may use its name. */
  readonly isOver?: (value: Value) => boolean
}

interface Candidate {
  readonly id: string
  readonly name: string
  /** Its status in a word or two. */
  readonly status?: string
  /** The repo or agent that created it. */
  readonly by?: string
  readonly createdAt?: Stamp
}

/** A shorter beginning could soon match several ids. */
export const SHORTEST = 6
/** Most candidates listed, and most entities searched. */
export const MOST_LISTED = 10
const MOST_SEARCHED = 1000

/** The entities that have not ended; if all have, all of them. */
export function notEnded<Value>(
  { isOver = () => false }: Kind<Value>,
  some: Iterable<Value>,
): Iterable<Value> {
  const [open, over]: [Value[], Value[]] = [[], []]
  for (const one of some) {
    ;(isOver(one) ? over : open).push(one)
    if (open.length > MOST_LISTED || open.length + over.length === MOST_SEARCHED) break
  }
  return open.length > 0 ? open : over
}

interface Asked {
  readonly word: string
  readonly how: 'called' | 'begin'
}

export function onlyOne<Value>(
  { plural, about }: Kind<Value>,
  { word, how }: Asked,
  some: Iterable<Value>,
): Value | undefined {
  const found = firstOf(some, MOST_LISTED + 1)
  if (found.length <= 1) return found[0]
  const candidates = found.slice(0, MOST_LISTED).map(about)
  const count = found.length > MOST_LISTED ? `More than ${MOST_LISTED}` : found.length
  const shared = how === 'called' ? `are called ${quoted(word, 80)}` : `have an ID that begins with ${word}`
  const listed = candidates
    .map((one) => candidateText(one, how === 'begin' ? quoted(one.name, 60) : ''))
    .join(', ')
  throw new Fault('invalid_params', `${count} ${plural} ${shared}: ${listed}`, {
    next: 'Name the one that you mean by its id',
    data: { candidates },
  })
}

/** The id, these words, and the status. */
export function candidateText({ id, status, by, createdAt }: Candidate, words: string): string {
  const about = [
    status ?? [],
    by === undefined ? [] : `by ${quoted(by, 60)}`,
    createdAt === undefined ? [] : `created ${createdAt.slice(0, 16).replace('T', ' ')} UTC`,
  ].flat()
  const called = words === '' ? id : `${id} ${words}`
  return about.length === 0 ? called : `${called} (${about.join(', ')})`
}

/** The parts of an item by which it is found. */
type NamedItem = Pick<InboxItem, 'id'> & {
  readonly about: { readonly id: string; readonly name: string }
}

/**
 * The item with this id, or about the entity with this id or name or, if allowed, whose id or entity's id begins with
 * the word; undefined if there is none.
 */
export function itemCalled<Item extends NamedItem>(
  items: Iterable<Item>,
  word: string,
  { mayShorten }: { mayShorten: boolean },
): Item | undefined {
  const [exact, begun]: [Item[], Item[]] = [[], []]
  for (const item of items) {
    const { id, about } = item
    if (id === word) return item
    if (about.id === word || about.name === word) exact.push(item)
    else if (id.startsWith(word) || about.id.startsWith(word)) begun.push(item)
  }
  const mayBegin = mayShorten && word.length >= SHORTEST
  const found = exact.length > 0 || !mayBegin ? exact : begun
  if (found.length <= 1) return found[0]
  const candidates = found.slice(0, MOST_LISTED).map(({ id, about }) => ({ id, name: about.name }))
  const listed = candidates.map(({ id, name }) => `${id} ${quoted(name, 60)}`).join(', ')
  throw wrongField('itemId', `${found.length} items go by ${quoted(word, 80)}: ${listed}`, {
    next: 'Name the one that you mean by its id',
    data: { candidates },
  })
}

const MOST_NAMES_COMPARED = 300

/** The name that was probably meant. Not for ids: they are often asked for before their entity arrives. */
export function closestName<Value>(
  some: Iterable<Value>,
  word: string,
  nameOf: (one: Value) => string | undefined,
): string | undefined {
  if (isUuid(word)) return undefined
  const names = firstOf(some, MOST_NAMES_COMPARED).flatMap((one) => nameOf(one) ?? [])
  return nearTo(word, names)
}

/** The start of an advice sentence. */
export const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `Did you mean ${meant}? `
