import * as z from 'zod'
import type { OrderedTable } from '../domain/view.ts'
import { type Fault, wrongField } from '../protocol/fault.ts'
import { jsonText } from '../protocol/json/text.ts'
import { LIMITS } from '../protocol/limits.ts'
import { utf8Length } from '../protocol/text/utf8.ts'
import { Id } from '../protocol/words.ts'

/** How many things are wanted in one answer. */
export const PageSize = z.int().min(1).max(LIMITS.pageItems)

export const pageParams = {
  limit: PageSize.optional().describe('default: as many as fit into 1 MiB'),
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

interface Rendering<Value, Item> {
  /** The cursor of the page that follows this value. */
  readonly cursorOf: (value: Value) => string
  /** Returns nothing for what the caller may not see or did not ask for. */
  readonly render: (value: Value) => Item | undefined
}

/** One page of a table, oldest first. */
export function takePage<Value, Item>(
  table: OrderedTable<Value>,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  rendering: Rendering<Value, Item>,
): Page<Item> {
  if (cursor !== undefined && table.get(cursor) === undefined) throw unknownCursor(cursor)
  return fillPage(table.oldestFirst(cursor), limit, rendering)
}

/** The first of these values, as many as are wanted and fit into an answer. */
export function fillPage<Value, Item>(
  values: Iterable<Value>,
  limit: number | undefined,
  { cursorOf, render }: Rendering<Value, Item>,
): Page<Item> {
  const items: Item[] = []
  let room: number = LIMITS.answerBytes
  let last: Value | undefined
  for (const value of values) {
    const item = render(value)
    if (item === undefined) continue
    const size = utf8Length(jsonText(item))
    const isFull = items.length === limit
    if (last !== undefined && (isFull || size > room))
      return { items, rest: { nextCursor: cursorOf(last), ...(isFull ? {} : { truncated: true }) }, room }
    items.push(item)
    last = value
    room -= size
  }
  return { items, rest: {}, room }
}

export const unknownCursor = (cursor: string): Fault =>
  wrongField('cursor', `${cursor} is not one that this daemon gave`, { next: 'Start again without a cursor' })
