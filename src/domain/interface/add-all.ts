/** Adds to a list what may be long: as arguments of one call it would need room on the stack. */
export function addAll<Item>(list: Item[], more: Iterable<Item>): void {
  for (const item of more) list.push(item)
}
