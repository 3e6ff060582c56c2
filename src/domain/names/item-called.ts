import { Fault } from '../../protocol/fault.ts'
import type { InboxItem } from '../inbox/item.ts'
import { quoted } from './quoted.ts'

/** As much of an item as says what it goes by. */
export type Callable = Pick<InboxItem, 'id'> & {
  readonly about: { readonly id: string; readonly name: string }
}

const SHORTEST = 6
const TOLD = 10

/**
 * The item that is meant by the id or name of what it is about or, where that may be, by the beginning of that id or of
 * its own; undefined where there is none.
 */
export function itemCalled<Item extends Callable>(
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
  const candidates = found.slice(0, TOLD).map(({ id, about }) => ({ id, name: about.name }))
  const listed = candidates.map(({ id, name }) => `${id} ${quoted(name, 60)}`).join(', ')
  throw new Fault('invalid_params', `itemId: ${found.length} items go by ${quoted(word, 80)}: ${listed}`, {
    next: 'Name the one that you mean by its id',
    data: { field: 'itemId', candidates },
  })
}
