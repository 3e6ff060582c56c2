import { compareText } from '../../../protocol/json/canonical.ts'
import { isSameJson } from '../../../protocol/json/is-same.ts'
import { Budget, TooLarge } from '../budget.ts'
import { diffGraphql } from '../forms/graphql/diff.ts'
import { diffProto } from '../forms/protobuf/diff.ts'
import type { Change, Difference, Interface, Likely, Operation, Sender } from '../model.ts'
import { identityOf } from '../schema/fewer.ts'
import { changeOf } from './change.ts'
import { OperationDiff } from './diff-operation.ts'

/** Told of one pair; beyond that nobody reads, and what is left out is said. */
const MOST = 500

/** All changes in meaning, in an order that does not depend on how either side is written. */
export function diffInterfaces(
  before: Interface,
  after: Interface,
  budget = new Budget(),
): readonly Change[] {
  if (isSame(before, after)) return []
  const all = new Map<string, Found>()
  const add = (found: Difference, at: string, sender: Sender) => {
    const order = `${at}${identityOf(found)} ${sender}`
    all.set(order, { found, at, sender, order })
  }
  try {
    compare(before, after, { add, budget })
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    add({ path: '', kind: 'too-large', narrows: 'unsure', widens: 'unsure' }, '', 'both')
  }
  if (all.size > MOST)
    add({ path: '', kind: 'more-changes', narrows: 'unsure', widens: 'unsure' }, '', 'both')
  // What each is known by is made of those only that are told.
  const told = worst([...all.values()]).sort((a, b) => compareText(a.order, b.order))
  return told.map(({ found, at, sender }) => changeOf(found, { at, sender }))
}

/** Of very many, those that hurt somebody; else a verdict would be that of what comes first in the alphabet. */
function worst(all: Found[]): Found[] {
  if (all.length <= MOST) return all
  const ranked = all.map((one) => ({ one, rank: harmOf(one) }))
  ranked.sort((a, b) => b.rank - a.rank || compareText(a.one.order, b.one.order))
  return ranked.slice(0, MOST).map(({ one }) => one)
}

function harmOf({ found: { narrows, widens }, sender }: Found): number {
  const [sent, got] = [HARM[narrows], HARM[widens]]
  return sender === 'consumer' ? sent : sender === 'provider' ? got : Math.max(sent, got)
}

const HARM: Record<Likely, number> = { no: 0, depends: 1, unsure: 2, yes: 3 }

interface Found {
  readonly found: Difference
  readonly at: string
  readonly sender: Sender
  readonly order: string
}

/** Equal content means the same, however large it is. */
const isSame = (before: Interface, after: Interface): boolean =>
  before === after ||
  (before.isUnread !== true && after.isUnread !== true && isSameJson(before.content, after.content))

export type Add = (found: Difference, at: string, sender: Sender) => void

function compare(before: Interface, after: Interface, { add, budget }: { add: Add; budget: Budget }): void {
  if (before.form !== after.form) {
    const change = { path: '', kind: 'form-changed', before: before.form, after: after.form }
    add({ ...change, narrows: 'unsure', widens: 'unsure' }, '', 'both')
    return
  }
  if (before.isUnread === true || after.isUnread === true) throw new TooLarge('not looked at')
  if (before.graphql !== undefined && after.graphql !== undefined)
    diffGraphql(before.graphql, after.graphql, { tell: add, budget })
  if (before.protobuf !== undefined && after.protobuf !== undefined)
    diffProto(before.protobuf, after.protobuf, { tell: add, budget })
  const diff = new OperationDiff(budget, add)
  const [olds, news] = [byKey(before.operations), byKey(after.operations)]
  const [old, now] = [[...olds.values()], [...news.values()]]
  if (olds.size === 1 && news.size === 1 && old[0] !== undefined && now[0] !== undefined) {
    if (old[0].key !== now[0].key) add(renamed(old[0], now[0]), '', old[0].sender)
    diff.compare(old[0], now[0])
    return
  }
  for (const operation of old) {
    const same = news.get(operation.key)
    if (same === undefined) add(removed(operation), operation.key, operation.sender)
    else diff.compare(operation, same)
  }
  for (const operation of now)
    if (!olds.has(operation.key)) add(added(operation), operation.key, operation.sender)
}

/** Of two with one key the later one counts; that there are two is a finding. */
const byKey = (operations: readonly Operation[]): Map<string, Operation> =>
  new Map(operations.map((operation) => [operation.key, operation]))

/** What is gone is missing to those who call it and to those who wait for it. */
const removed = ({ key, sender }: Operation): Difference => ({
  path: '',
  kind: 'operation-removed',
  narrows: sender === 'provider' ? 'no' : 'yes',
  widens: sender === 'consumer' ? 'no' : 'yes',
  before: key,
})

const added = ({ key, sender }: Operation): Difference => ({
  path: '',
  kind: 'operation-added',
  narrows: sender === 'provider' ? 'yes' : 'no',
  widens: sender === 'consumer' ? 'yes' : 'no',
  after: key,
})

const renamed = (before: Operation, after: Operation): Difference => ({
  path: '',
  kind: 'operation-changed',
  narrows: 'yes',
  widens: 'yes',
  before: before.key,
  after: after.key,
})
