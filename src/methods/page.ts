import { z } from 'zod'
import type { Shelf } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import { jsonText } from '../protocol/json-text.ts'
import { LIMITS } from '../protocol/limits.ts'
import { Id } from '../protocol/words.ts'

export const pageParams = {
  limit: z.int().min(1).max(LIMITS.pageItems).default(LIMITS.pageItems),
  cursor: Id.optional().describe('nextCursor of the page before'),
}

export const pageResult = {
  nextCursor: z.string().optional().describe('there is more: call again with this as cursor'),
  truncated: z.boolean().optional().describe('the page was cut because it would exceed 1 MiB'),
}

export interface Page<Item> {
  items: Item[]
  rest: { nextCursor?: string; truncated?: boolean }
}

/** One page of a shelf, oldest first. `render` leaves out what the caller may not see or did not ask for. */
export function takePage<Value, Item>(
  shelf: Shelf<Value>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { id, render }: { id: (item: Item) => string; render: (value: Value) => Item | undefined },
): Page<Item> {
  if (cursor !== undefined && shelf.get(cursor) === undefined)
    throw new Fault('invalid_params', `cursor: ${cursor} is not one that this daemon gave`, {
      next: 'Start again without a cursor',
      data: { field: 'cursor' },
    })
  const items: Item[] = []
  let bytes = 0
  for (const value of shelf.oldestFirst(cursor)) {
    const item = render(value)
    if (item === undefined) continue
    bytes += jsonText(item).length
    const last = items.at(-1)
    if (last !== undefined && (items.length === limit || bytes > LIMITS.answerBytes))
      return { items, rest: { nextCursor: id(last), ...(items.length < limit ? { truncated: true } : {}) } }
    items.push(item)
  }
  return { items, rest: {} }
}
