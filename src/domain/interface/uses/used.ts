import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { RecentCache } from '../../../protocol/collections/recent-cache.ts'
import type { Expectation, Interface } from '../model.ts'
import { type Place, placesOf } from './places.ts'
import { isWithinPlain, overlapsPlain, placesAround, plainPlace } from './within.ts'

/** More ways to say the same than anybody needs. */
const MOST_WAYS = 500

type Used = Pick<Expectation, 'uses' | 'operations' | 'tellsRequests'>

/**
 * What a repo that uses these places uses of a change: the same places by the names that either side has for them, and
 * what they lead to. A change is told at one of them, so none may be missing.
 */
export function usedPlaces(uses: readonly string[] | null, before: Interface, after: Interface): Used {
  if (uses === null) return { uses: null }
  const last = found.get(uses)
  if (last?.before === before && last.after === after) return last.used
  const used = findUsed(uses, before, after)
  found.set(uses, { before, after, used })
  return used
}

/** By what a repo says it uses: what that was of the two that were last compared. */
const found = new RecentCache<
  readonly string[],
  { readonly before: Interface; readonly after: Interface; readonly used: Used }
>(500)

function findUsed(uses: readonly string[], before: Interface, after: Interface): Used {
  const sides = [before, after]
  const isCut = sides.some((side) => placesOf(side).isCut)
  // What was not looked at may lead to any type.
  if (isCut && sides.some(({ graphql, protobuf }) => graphql !== undefined || protobuf !== undefined))
    return { uses: null }
  const plain = uses.map(plainPlace)
  const used = new Set(plain)
  const places = sides.flatMap((side) => placesOf(side).list)
  const ways = [
    moved(before, after),
    otherStatuses(sides),
    isCut ? wholeSlots(sides) : folded(places),
    ofTypes(places, plain),
  ] as const
  for (const use of used)
    for (const other of ways.flatMap((way) => way(use))) if (used.size < MOST_WAYS) used.add(other)
  return {
    uses: used.size < MOST_WAYS ? [...used] : null,
    operations: operationsUsed([...used], sides),
    // A query begins at a root, and names every field that it wants from there.
    ...(before.graphql === undefined ? {} : { tellsRequests: plain.some((use) => ROOT.test(use)) }),
  }
}

const ROOT = /^(?:Query|Mutation|Subscription)(?:\.|$)/

type Way = (use: string) => readonly string[]

/** An operation may be written differently on both sides, such as with other names of parameters. */
function moved(before: Interface, after: Interface): Way {
  const byKey = new Map(after.operations.map((operation) => [operation.key, operation]))
  const isOne = before.operations.length === 1 && after.operations.length === 1
  const moves = before.operations.flatMap(({ key, prefix }) => {
    const now = byKey.get(key) ?? (isOne ? after.operations[0] : undefined)
    const whole = prefix === '' ? [] : [{ from: key, to: prefix.replace(/: $/, '') }]
    return now === undefined || now.prefix === prefix ? whole : [...whole, { from: prefix, to: now.prefix }]
  })
  return (use) => {
    const whole = `${use}: `
    return moves.flatMap(({ from, to }) => {
      if (use.startsWith(from)) return [to + use.slice(from.length)]
      return whole === from ? [to.replace(/: $/, '')] : []
    })
  }
}

const STATUS = /(^|: )response\.([^.[]+)/

/** `4xx` stands for 404, `default` for any, and a status that was not said for the one that the other side says. */
function otherStatuses(sides: readonly Interface[]): Way {
  const operations = sides.flatMap((side) => side.operations)
  const isAssumed = operations.some(({ assumesStatus }) => assumesStatus === true)
  const all = new Set(operations.flatMap(({ slots }) => slots.map(({ at }) => STATUS.exec(at)?.[2] ?? '')))
  return (use) => {
    const status = STATUS.exec(use)?.[2]
    if (status === undefined) return []
    return [...all]
      .filter(
        (other) => covers(status, other) || covers(other, status) || (isAssumed && areGood(status, other)),
      )
      .map((other) => use.replace(STATUS, `$1response.${other}`))
  }
}

const areGood = (a: string, b: string): boolean => a.startsWith('2') && b.startsWith('2')
const covers = (range: string, status: string): boolean =>
  status !== '' && (range === 'default' || (/^\dxx$/.test(range) && status[0] === range[0]))

/** What leads back to where it came from is compared there. */
function folded(places: readonly Place[]): Way {
  const turns = places.flatMap(({ at, back }) =>
    back === undefined ? [] : [{ at: plainPlace(at), back: plainPlace(back) }],
  )
  return (use) =>
    turns.flatMap(({ at, back }) => {
      if (isWithinPlain(use, at)) return [back + use.slice(at.length)]
      return isWithinPlain(at, use) ? [back] : []
    })
}

/** The same where not all places are known: what leads back leads to somewhere in the same slot. */
function wholeSlots(sides: readonly Interface[]): Way {
  const described = sides
    .flatMap(({ operations }) => operations)
    .flatMap(({ prefix, slots }) =>
      slots.filter(({ schema }) => schema !== null).map(({ at }) => plainPlace(`${prefix}${at}`)),
    )
  return (use) => described.filter((slot) => isWithinPlain(use, slot))
}

/** A type that is led to is used as a whole, unless places in it are named themselves. */
function ofTypes(places: readonly Place[], named: readonly string[]): Way {
  const leading = new Map<string, { readonly at: string; readonly whole: readonly string[] }[]>()
  const within = new Set(named.flatMap((one) => [one, ...placesAround(one)]))
  for (const { at, types = [] } of places) {
    const whole = types.filter((type) => !within.has(type))
    if (whole.length === 0) continue
    getOrAdd(leading, rootOf(at), () => []).push({ at: plainPlace(at), whole })
  }
  return (use) =>
    (leading.get(rootOf(use)) ?? []).flatMap(({ at, whole }) => (overlapsPlain(at, use) ? whole : []))
}

/** What overlaps begins with the same word. */
const rootOf = (place: string): string => /^[^.[:]*/.exec(place)?.[0] ?? ''

/** Keys of the operations in which something is used. */
function operationsUsed(uses: readonly string[], sides: readonly Interface[]): string[] {
  const wholes = new Set(uses.flatMap((use) => [use, `${use}: `]))
  const isUsed = (prefix: string, key: string) =>
    wholes.has(key) || wholes.has(prefix) || uses.some((use) => use.startsWith(prefix))
  const operations = sides.flatMap((side) => side.operations)
  return [...new Set(operations.filter(({ prefix, key }) => isUsed(prefix, key)).map(({ key }) => key))]
}
