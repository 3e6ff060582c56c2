import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { compareText } from '../../../protocol/json/canonical.ts'
import { type Budget, WORK } from '../budget.ts'
import { unsure } from '../difference.ts'
import type { Change, Difference, Likely, Sender } from '../model.ts'
import { identityOf } from '../schema/fewer.ts'
import { changeOf } from './change.ts'

/** Told of one pair; beyond that nobody reads, and what is left out is said. */
const MOST = 500

interface Found {
  readonly found: Difference
  readonly at: string
  readonly sender: Sender
}

/** What was found while two interfaces were compared, in an order that does not depend on how either is written. */
export function foundChanges(budget: Budget) {
  /** Lists stay as they came, for schemas that are used in many places differ in all of them alike. */
  const byPlace = new Map<string, { readonly list: readonly Difference[]; readonly sender: Sender }[]>()
  let count = 0
  return { add, addUnsure, told }

  function add(list: readonly Difference[], at: string, sender: Sender): void {
    if (list.length === 0) return
    budget.spend(WORK.change)
    put(list, at, sender)
  }

  function put(list: readonly Difference[], at: string, sender: Sender): void {
    getOrAdd(byPlace, at, () => []).push({ list, sender })
    count += list.length
  }

  /** That nobody knows something of all of it. */
  function addUnsure(kind: 'too-large' | 'more-changes'): void {
    put([unsure(kind)], '', 'both')
  }

  function told(): readonly Change[] {
    if (count > MOST) addUnsure('more-changes')
    const kept = count > MOST ? worst() : all()
    return [...kept]
      .sort(([a], [b]) => compareText(a, b))
      .map(([, { found, at, sender }]) => changeOf(found, { at, sender }))
  }

  function all(): Map<string, Found> {
    const all = new Map<string, Found>()
    for (const [at, lists] of byPlace)
      for (const { list, sender } of lists)
        for (const found of list) {
          const one = { found, at, sender }
          all.set(orderOf(one), one)
        }
    return all
  }

  /** Of very many, those that hurt somebody; else a verdict would be that of what comes first in the alphabet. */
  function worst(): Map<string, Found> {
    const worst = new Map<string, Found>()
    const places = [...byPlace.keys()].sort(compareText)
    for (const harm of [3, 2, 1, 0])
      for (const at of places) {
        const ordered: (readonly [string, Found])[] = []
        for (const { list, sender } of byPlace.get(at) ?? [])
          for (const found of list) {
            if (harmOf(found, sender) !== harm) continue
            const one = { found, at, sender }
            ordered.push([orderOf(one), one])
          }
        for (const [order, one] of ordered.sort(([a], [b]) => compareText(a, b))) {
          if (worst.size >= MOST) return worst
          worst.set(order, one)
        }
      }
    return worst
  }
}

export type FoundChanges = ReturnType<typeof foundChanges>

const orderOf = ({ found, at, sender }: Found): string => `${at}${identityOf(found)} ${sender}`

function harmOf({ narrows, widens }: Difference, sender: Sender): number {
  const sent = HARM[narrows]
  const got = HARM[widens]
  return sender === 'consumer' ? sent : sender === 'provider' ? got : Math.max(sent, got)
}

const HARM: Record<Likely, number> = { no: 0, depends: 1, unsure: 2, yes: 3 }
