import { z } from 'zod'
import type { OrderedTable } from '../domain/view.ts'
import { type Fault, wrongField } from '../protocol/fault.ts'
import { jsonText } from '../protocol/json/text.ts'
import { LIMITS } from '../protocol/limits.ts'
import { utf8Length } from '../protocol/text/utf8.ts'
import { Id } from '../protocol/words.ts'

export const pageParams = {
  limit: z.int().min(1).max(LIMITS.pageItems).optional().describe('default: as many as fit into 1 MiB'),
  cursor: Id.optional().describe('nextCursor of the page before'),
}

export const pageResult = {
  nextCursor: z.string().optional().describe('there is more: call again with this as cursor'),
  truncated: z.boolean().optional().describe('the page was cut because it would exceed 1 MiB'),
}

interface Page<Item> {
  items: Item[]
  rest: { nextCursor?: string; truncated?: boolean }
  /** Bytes that the answer may still grow by. */
  room: number
}

/** One page of a table, oldest first. `render` returns nothing for what the caller may not see or did not ask for. */
export function takePage<Value, Item>(
  shelf: OrderedTable<Value>,
  { limit = Number.POSITIVE_INFINITY, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  { id, render }: { id: (item: Item) => string; render: (value: Value) => Item | undefined },
): Page<Item> {
  if (cursor !== undefined && shelf.get(cursor) === undefined) throw unknownCursor(cursor)
  const items: Item[] = []
  let room: number = LIMITS.answerBytes
  for (const value of shelf.oldestFirst(cursor)) {
    const item = render(value)
    if (item === undefined) continue
    const size = utf8Length(jsonText(item))
    const last = items.at(-1)
    if (last !== undefined && (items.length === limit || size > room)) {
      const isCut = items.length < limit
      return { items, rest: { nextCursor: id(last), ...(isCut ? { truncated: true } : {}) }, room }
    }
    items.push(item)
    room -= size
  }
  return { items, rest: {}, room }
}

export const unknownCursor = (cursor: string): Fault =>
  wrongField('cursor', `${cursor} is not one that this daemon gave`, { next: 'Start again without a cursor' })
