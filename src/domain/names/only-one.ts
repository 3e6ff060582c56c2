import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { quoted } from './quoted.ts'

/** The one of several things that a word means; where it may mean more, they are told so that one can be chosen. */

export interface Kind<Value> {
  readonly plural: string
  readonly about: (value: Value) => Candidate
  /** Whether its name is to be had for another one. */
  readonly isOver?: (value: Value) => boolean
}

export interface Candidate {
  readonly id: string
  readonly name: string
  /** How it stands, in a word or two. */
  readonly status?: string
  /** Whose it is. */
  readonly by?: string
  readonly createdAt?: Stamp
}

/** Of those that go by one name, so many are told, and so many looked at. */
export const TOLD = 10
const LOOKED_AT = 1000

/** Those that are not over; where all are, these. */
export function living<Value>({ isOver = () => false }: Kind<Value>, some: Iterable<Value>): Iterable<Value> {
  const [alive, over]: [Value[], Value[]] = [[], []]
  for (const one of some) {
    ;(isOver(one) ? over : alive).push(one)
    if (alive.length > TOLD || alive.length + over.length === LOOKED_AT) break
  }
  return alive.length > 0 ? alive : over
}

export function* filtered<Value>(some: Iterable<Value>, isMeant: (value: Value) => boolean): Iterable<Value> {
  for (const one of some) if (isMeant(one)) yield one
}

export interface Asked {
  readonly word: string
  readonly how: 'called' | 'begin'
}

export function onlyOne<Value>(
  { plural, about }: Kind<Value>,
  { word, how }: Asked,
  some: Iterable<Value>,
): Value | undefined {
  const found: Value[] = []
  for (const one of some) {
    found.push(one)
    if (found.length > TOLD) break
  }
  if (found.length <= 1) return found[0]
  const candidates = found.slice(0, TOLD).map(about)
  const count = found.length > TOLD ? `More than ${TOLD}` : found.length
  const shared = how === 'called' ? `are called ${quoted(word, 80)}` : `have an ID that begins with ${word}`
  const told = candidates
    .map((one) => candidateText(one, how === 'begin' ? quoted(one.name, 60) : ''))
    .join(', ')
  throw new Fault('invalid_params', `${count} ${plural} ${shared}: ${told}`, {
    next: 'Name the one that you mean by its id',
    data: { candidates },
  })
}

/** Its id, these words, and how it stands. */
export function candidateText({ id, status, by, createdAt }: Candidate, words: string): string {
  const about = [
    status ?? [],
    by === undefined ? [] : `by ${quoted(by, 60)}`,
    createdAt === undefined ? [] : `created ${createdAt.slice(0, 16).replace('T', ' ')} UTC`,
  ].flat()
  const called = words === '' ? id : `${id} ${words}`
  return about.length === 0 ? called : `${called} (${about.join(', ')})`
}
