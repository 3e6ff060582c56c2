import { isSameJson } from '../../../protocol/json/is-same.ts'
import { Budget, MOST_WORK, TooLarge } from '../budget.ts'
import { change, type Tell, unsure } from '../difference.ts'
import { diffGraphql } from '../forms/graphql/diff.ts'
import { diffProto } from '../forms/protobuf/diff.ts'
import type { Change, Difference, Interface, Operation } from '../model.ts'
import { operationDiff } from './diff-operation.ts'
import { type FoundChanges, foundChanges } from './found-changes.ts'
import { shown } from './shown.ts'

/** All changes in meaning, in an order that does not depend on how either side is written. */
export function diffInterfaces(
  before: Interface,
  after: Interface,
  budget = new Budget(MOST_WORK, before.work + after.work),
): readonly Change[] {
  if (isSame(before, after)) return []
  const changes = foundChanges(budget)
  try {
    compare(before, after, { changes, budget })
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    changes.addUnsure('too-large')
  }
  return changes.told()
}

/** Equal content means the same, however large it is. */
const isSame = (before: Interface, after: Interface): boolean =>
  before === after ||
  (before.isUnread !== true && after.isUnread !== true && isSameJson(before.content, after.content))

function compare(
  before: Interface,
  after: Interface,
  { changes, budget }: { changes: FoundChanges; budget: Budget },
): void {
  const add: Tell = (found, at, sender) => changes.add([found], at, sender)
  if (before.form !== after.form) {
    add(unsure('form-changed', { before: before.form, after: after.form }), '', 'both')
    return
  }
  if (before.isUnread === true || after.isUnread === true) throw new TooLarge('not looked at')
  if (before.graphql !== undefined && after.graphql !== undefined)
    diffGraphql(before.graphql, after.graphql, { tell: add, budget })
  if (before.protobuf !== undefined && after.protobuf !== undefined)
    diffProto(before.protobuf, after.protobuf, { tell: add, budget })
  const isDirected = before.tellsDirections || after.tellsDirections
  const diff = operationDiff({ budget, changes, isDirected })
  const [olds, news] = [byKey(before.operations), byKey(after.operations)]
  const [old, now] = [[...olds.values()], [...news.values()]]
  if (olds.size === 1 && news.size === 1 && old[0] !== undefined && now[0] !== undefined) {
    const keys = { before: old[0].key, after: now[0].key }
    if (keys.before !== keys.after) add(change('operation-changed', 'yes', 'yes', keys), '', old[0].sender)
    diff(old[0], now[0])
    return
  }
  for (const operation of old) {
    const same = news.get(operation.key)
    if (same === undefined) add(removed(operation), operation.key, operation.sender)
    else diff(operation, same)
  }
  for (const operation of now)
    if (!olds.has(operation.key)) add(added(operation), operation.key, operation.sender)
}

/** Of two with one key the later one counts; that there are two is a finding. */
const byKey = (operations: readonly Operation[]): Map<string, Operation> =>
  new Map(operations.map((operation) => [operation.key, operation]))

/** What is gone is missing to those who call it and to those who wait for it. */
const removed = ({ key, prefix, sender }: Operation): Difference =>
  change('operation-removed', sender === 'provider' ? 'no' : 'yes', sender === 'consumer' ? 'no' : 'yes', {
    before: key,
    beforeWords: wordsFor(key, prefix),
  })

const added = ({ key, prefix, sender }: Operation): Difference =>
  change('operation-added', sender === 'provider' ? 'yes' : 'no', sender === 'consumer' ? 'yes' : 'no', {
    after: key,
    afterWords: wordsFor(key, prefix),
  })

/** As it is written: a key has no names of parameters. */
const wordsFor = (key: string, prefix: string): string => shown(prefix.replace(/: $/, '') || key)
