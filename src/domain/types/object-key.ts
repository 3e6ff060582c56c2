import { Budget, TooLarge } from '../interface/budget.ts'
import type { Sender } from '../interface/model.ts'
import type { Atom } from '../interface/schema/atom.ts'
import { meaningText } from '../interface/schema/meaning-text.ts'
import type { Source } from '../interface/schema/source.ts'

/** Steps that it may take to write out what one object means; one that takes more is shared with no other contract. */
const MOST = 2000

/** Text that is equal for objects of two contracts that mean the same, as far as this side sends them. */
export function meaningKey({ properties, required, others }: Atom, sender: Sender): string | undefined {
  const budget = new Budget(MOST)
  const text = (source: Source | 'none') =>
    source === 'none'
      ? source
      : source.map(({ schema, document }) => meaningText(document, budget)(schema)).join('&')
  try {
    const fields = [...properties].map(([name, source]) => [name, text(source), required.has(name)])
    return JSON.stringify([sender, fields, [...required], text(others)])
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
