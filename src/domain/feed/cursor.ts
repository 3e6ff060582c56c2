import { Fault } from '../../protocol/fault.ts'

/** How far a reader has read: up to this change of this store. */
export interface Cursor {
  readonly storeId: string
  readonly seq: number
}

/** The text of a cursor, which readers keep and send back unchanged. */
export const cursorText = ({ storeId, seq }: Cursor): string => `${storeId}.${seq}`

/** Longer than any cursor that was ever given out. */
export const CURSOR_LENGTH = 120

const CURSOR = /^([A-Za-z0-9_-]{1,100})\.(0|[1-9]\d{0,15})$/

/**
 * The change up to which the holder of this cursor has read. `newest` is the last durable change of this store. A
 * cursor of another store, or ahead of this one, says nothing about what is new here.
 */
export function readCursor(text: string, newest: Cursor, field = 'since'): number {
  const parts = CURSOR.exec(text)
  const seq = Number(parts?.[2])
  if (parts === null || !Number.isSafeInteger(seq))
    throw new Fault('invalid_params', `Invalid params: ${field}: is no cursor`, {
      next: `Give one as it was answered, for example ${cursorText(newest)}, or leave it out to begin anew`,
      data: { field, example: cursorText(newest) },
    })
  const isElsewhere = parts[1] !== newest.storeId
  if (!isElsewhere && seq <= newest.seq) return seq
  throw new Fault(
    'stale_cursor',
    isElsewhere
      ? `${field}: is a cursor of another store: the one here was laid out anew since, or is of another daemon`
      : `${field}: is ahead of this store, which was put back to an earlier state since`,
    {
      next: `Read anew what you need (cacp/project/list, cacp/inbox/list), and go on from ${cursorText(newest)}`,
      data: { field, cursor: cursorText(newest) },
    },
  )
}
