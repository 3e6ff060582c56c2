import { crc32 } from 'node:zlib'
import * as z from 'zod'
import type { LocalEntry, SharedEntry } from '../journal/entry.ts'
import { StoreTooNewError, StoreTooOldError } from '../store-errors.ts'

/**
 * The content of state.json. It is one JSON document, formatted so that it can be written and read line by line: a
 * header, a line per statement, a line per row of a local table, and a checksum of all bytes before it.
 */
export interface Snapshot {
  readonly store_id: string
  /** The first journal whose content is not included. */
  readonly epoch: number
  /** The newest frame of the journals before that epoch. */
  readonly frame: number
  readonly seq: number
  readonly entities: readonly SharedEntry[]
  readonly local: readonly LocalEntry[]
}

/** Format 1 held whole entities and was never released. */
export const FORMAT = 2

export function assertFormat(file: string, format: number): void {
  if (format > FORMAT) throw new StoreTooNewError(file, format)
  if (format < FORMAT) throw new StoreTooOldError(file, format)
}

const Count = z.int().min(0)

export const Header = z.object({
  format: z.literal(FORMAT),
  store_id: z.string().min(1),
  epoch: z.int().min(1),
  frame: Count,
  seq: Count,
  counts: z.object({ entities: Count, local: Count }),
})

export type Header = z.infer<typeof Header>

/** The lines before, between and after the entries. */
export const FIXED = { beginEntities: '"entities":[\n', beginLocal: '"local":[\n', end: '],\n' } as const

/** Small enough that serializing one slice does not noticeably delay requests. */
const SLICE_CHARS = 128 * 1024

/** Serializes slice by slice, each when it is requested. */
export function* encodeSnapshot(snapshot: Snapshot): Generator<Buffer> {
  let checksum = 0
  let text = ''
  for (const line of contentLines(snapshot)) {
    text += line
    if (text.length >= SLICE_CHARS) yield seal()
  }
  yield seal()
  yield Buffer.from(checksumLine(checksum))

  function seal(): Buffer {
    const bytes = Buffer.from(text)
    checksum = crc32(bytes, checksum)
    text = ''
    return bytes
  }
}

export const checksumLine = (checksum: number): string =>
  `"checksum":"${checksum.toString(16).padStart(8, '0')}"}\n`

function* contentLines({ entities, local, store_id, epoch, frame, seq }: Snapshot): Generator<string> {
  const counts = { entities: entities.length, local: local.length }
  const header: Header = { format: FORMAT, store_id, epoch, frame, seq, counts }
  yield `${JSON.stringify(header).slice(0, -1)},\n`
  yield FIXED.beginEntities
  yield* entryLines(entities)
  yield FIXED.end
  yield FIXED.beginLocal
  yield* entryLines(local)
  yield FIXED.end
}

function* entryLines(entries: readonly unknown[]): Generator<string> {
  let remaining = entries.length
  for (const entry of entries) yield `${JSON.stringify(entry)}${--remaining === 0 ? '' : ','}\n`
}
