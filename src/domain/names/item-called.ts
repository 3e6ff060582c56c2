import { wrongField } from '../../protocol/fault.ts'
import type { InboxItem } from '../inbox/item-shape.ts'
import { MOST_LISTED, SHORTEST } from './only-one.ts'
import { quoted } from './quoted.ts'

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
