import { getOrAdd } from '../../protocol/collections/get-or-add.ts'

export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) getOrAdd(groups, keyOf(item), () => []).push(item)
  return groups
}
