import * as z from 'zod'
import type { OrderedTable } from '../domain/view.ts'
import { type Fault, wrongField } from '../protocol/fault.ts'
import { jsonText } from '../protocol/json/text.ts'
import { LIMITS } from '../protocol/limits.ts'
import { utf8Length } from '../protocol/text/utf8.ts'
import { Id } from '../protocol/words.ts'

export const PageSize = z.int().min(1).max(LIMITS.pageItems)

export const pageParams = {
  limit: PageSize.optional().describe('default: as many as fit into 1 MiB'),
  cursor: Id.optional().describe('nextCursor of the page before'),
}

export const pageResult = {
  nextCursor: z.string().optional().describe('there is more: call again with this as cursor'),
  truncated: z.boolean().optional().describe('the page was cut because it would exceed 1 MiB'),
}

interface Page<Value, Item> {
  items: Item[]
  /** The values that these are made of. */
  values: Value[]
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
): Page<Value, Item> {
  if (cursor !== undefined && table.get(cursor) === undefined) throw unknownCursor(cursor)
  return fillPage(table.oldestFirst(cursor), limit, rendering)
}

/** The first of these values, as many as are wanted and fit into an answer. */
export function fillPage<Value, Item>(
  found: Iterable<Value>,
  limit: number | undefined,
  { cursorOf, render }: Rendering<Value, Item>,
): Page<Value, Item> {
  const page: Page<Value, Item> = { items: [], values: [], rest: {}, room: LIMITS.answerBytes }
  for (const value of found) {
    const item = render(value)
    if (item === undefined) continue
    const size = utf8Length(jsonText(item))
    const isFull = page.items.length === limit
    const last = page.values.at(-1)
    if (last !== undefined && (isFull || size > page.room))
      return { ...page, rest: { nextCursor: cursorOf(last), ...(isFull ? {} : { truncated: true }) } }
    page.items.push(item)
    page.values.push(value)
    page.room -= size
  }
  return page
}

export const unknownCursor = (cursor: string): Fault =>
  wrongField('cursor', `${cursor} is not one that this daemon gave`, { next: 'Start again without a cursor' })
