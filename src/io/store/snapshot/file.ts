import { crc32 } from 'node:zlib'
import { type Adapter, Low } from 'lowdb'
import { jsonIn } from '../../../protocol/json/in.ts'
import { readAs } from '../../../protocol/read-as.ts'
import type { Disk } from '../directory/disk.ts'
import { replaceFile } from '../directory/whole-file.ts'
import type { LocalEntry, SharedEntry } from '../journal/entry.ts'
import { StoreDamagedError } from '../store-errors.ts'
import { type Line, NEWLINE, readLines } from './lines.ts'
import { assertFormat, checksumLine, encodeSnapshot, FIXED, Header, type Snapshot } from './snapshot.ts'

const NOTHING: Snapshot = { store_id: '', epoch: 1, frame: 0, seq: 0, entities: [], local: [] }

export type SnapshotFile = ReturnType<typeof snapshotFile>

/** A lowdb database is made for each read or write only: kept longer, it would hold the whole state a second time. */
export function snapshotFile(disk: Disk, path: string) {
  /**
   * Throws when the file is missing or damaged, and syncs what it writes. The file adapter of lowdb never syncs, writes
   * the file as one string, changes its mode, and treats a missing or `null` file as an empty database.
   */
  const adapter: Adapter<Snapshot> = {
    read: () => readSnapshot(disk, path),
    write: (snapshot) => replaceFile(disk, path, encodeSnapshot(snapshot)),
  }
  return {
    async read(): Promise<Snapshot> {
      const database = new Low(adapter, NOTHING)
      await database.read()
      return database.data
    },
    write: (snapshot: Snapshot): Promise<void> => new Low(adapter, snapshot).write(),
  }
}

const CHECKSUM_LINE = /^"checksum":"[0-9a-f]{8}"\}\n$/
const MISPLACED = 'this line is not the one that must stand here'

/** Reads state.json line by line. Returns a whole and verified snapshot or throws; never an empty one instead. */
async function readSnapshot(disk: Disk, path: string): Promise<Snapshot> {
  if ((await disk.size(path)) === undefined) throw new StoreDamagedError(path, 0, 'it is missing')
  const entities: SharedEntry[] = []
  const local: LocalEntry[] = []
  let header: Header | undefined
  let number = 0
  let checksum = 0
  let offset = 0
  let isComplete = false
  for await (const lines of readLines(disk.read(path))) {
    for (const line of lines) {
      offset = line.offset
      if (header === undefined) header = headerIn(line)
      else takeBody(line, header)
      checksum = crc32(line.bytes, checksum)
      number++
    }
  }
  if (header === undefined) throw damaged('it is empty')
  if (!isComplete) throw damaged('it ends too early')
  const { store_id, epoch, frame, seq } = header
  return { store_id, epoch, frame, seq, entities, local }

  function headerIn(line: Line): Header {
    const value = jsonIn(`${trimmed(line)}}`)
    const { format } = Object(value) as { format?: unknown }
    if (typeof format === 'number') assertFormat(path, format)
    return readAs(Header, value, () => damaged('it does not begin like a snapshot'))
  }

  /** The header says how many lines of each kind there are, so the number of a line determines what it must be. */
  function takeBody(line: Line, { counts }: Header): void {
    const entitiesEnd = 2 + counts.entities
    const localEnd = entitiesEnd + 2 + counts.local
    if (number === 1) expect(line, FIXED.beginEntities)
    else if (number < entitiesEnd) entities.push(entryIn(line))
    else if (number === entitiesEnd) expect(line, FIXED.end)
    else if (number === entitiesEnd + 1) expect(line, FIXED.beginLocal)
    else if (number < localEnd) local.push(entryIn(line))
    else if (number === localEnd) expect(line, FIXED.end)
    else takeLast(line)
  }

  function takeLast({ bytes }: Line): void {
    if (isComplete) throw damaged('something follows its end')
    const text = bytes.toString()
    if (!CHECKSUM_LINE.test(text)) throw damaged(MISPLACED)
    if (text !== checksumLine(checksum))
      throw damaged('the checksum here does not fit, so the damage is somewhere before')
    isComplete = true
  }

  /** Not validated: the checksum at the end proves that the entry is as it was written. */
  function entryIn<E extends SharedEntry | LocalEntry>(line: Line): E {
    const entry = jsonIn(trimmed(line))
    if (entry === undefined) throw damaged('this line is not JSON')
    return entry as E
  }

  function expect({ bytes }: Line, text: string): void {
    if (bytes.toString() !== text) throw damaged(MISPLACED)
  }

  function damaged(problem: string): StoreDamagedError {
    return new StoreDamagedError(path, offset, problem)
  }
}

/** The line without the newline and the comma before it. */
function trimmed({ bytes }: Line): string {
  const hasNewline = bytes.at(-1) === NEWLINE
  const end = bytes.length - (hasNewline ? 1 : 0)
  return bytes.toString('utf8', 0, hasNewline && bytes[end - 1] === COMMA ? end - 1 : end)
}

const COMMA = 0x2c
