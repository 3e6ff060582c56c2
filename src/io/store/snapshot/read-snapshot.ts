import { crc32 } from 'node:zlib'
import { jsonIn } from '../../../protocol/json/in.ts'
import { readAs } from '../../../protocol/read-as.ts'
import type { Disk } from '../directory/disk.ts'
import type { LocalEntry, SharedEntry } from '../journal/entry.ts'
import { StoreDamagedError, StoreTooNewError, StoreTooOldError } from '../store-errors.ts'
import { type Line, NEWLINE, readLines } from './lines.ts'
import { checksumLine, FIXED, FORMAT, Header, type Snapshot } from './snapshot.ts'

/** Reads state.json line by line. Returns a whole and verified snapshot or throws; never an empty one instead. */
export async function readSnapshot(disk: Disk, path: string): Promise<Snapshot> {
  if ((await disk.size(path)) === undefined) throw new StoreDamagedError(path, 0, 'it is missing')
  const reading = new SnapshotReading(path)
  for await (const lines of readLines(disk.read(path))) for (const line of lines) reading.take(line)
  return reading.finish()
}

const CHECKSUM_LINE = /^"checksum":"[0-9a-f]{8}"\}\n$/
const MISPLACED = 'this line is not the one that must stand here'

class SnapshotReading {
  readonly #path: string
  readonly #entities: SharedEntry[] = []
  readonly #local: LocalEntry[] = []
  #header: Header | undefined
  #lineNumber = 0
  #checksum = 0
  #offset = 0
  #isComplete = false

  constructor(path: string) {
    this.#path = path
  }

  take(line: Line): void {
    this.#offset = line.offset
    if (this.#header === undefined) this.#header = this.#readHeader(line)
    else this.#takeBody(line, this.#header)
    this.#checksum = crc32(line.bytes, this.#checksum)
    this.#lineNumber += 1
  }

  finish(): Snapshot {
    if (this.#header === undefined) throw this.#damaged('it is empty')
    if (!this.#isComplete) throw this.#damaged('it ends too early')
    const { store_id, epoch, frame, seq } = this.#header
    return { store_id, epoch, frame, seq, entities: this.#entities, local: this.#local }
  }

  /** The header says how many lines of each kind there are, so the number of a line determines what it must be. */
  #takeBody(line: Line, { counts }: Header): void {
    const entitiesEnd = 2 + counts.entities
    const localEnd = entitiesEnd + 2 + counts.local
    const number = this.#lineNumber
    if (number === 1) this.#expect(line, FIXED.beginEntities)
    else if (number < entitiesEnd) this.#entities.push(this.#parseEntry(line))
    else if (number === entitiesEnd) this.#expect(line, FIXED.end)
    else if (number === entitiesEnd + 1) this.#expect(line, FIXED.beginLocal)
    else if (number < localEnd) this.#local.push(this.#parseEntry(line))
    else if (number === localEnd) this.#expect(line, FIXED.end)
    else this.#takeLast(line)
  }

  #takeLast(line: Line): void {
    if (this.#isComplete) throw this.#damaged('something follows its end')
    const text = line.bytes.toString()
    if (!CHECKSUM_LINE.test(text)) throw this.#damaged(MISPLACED)
    if (text !== checksumLine(this.#checksum))
      throw this.#damaged('the checksum here does not fit, so the damage is somewhere before')
    this.#isComplete = true
  }

  #readHeader(line: Line): Header {
    const value = jsonIn(`${trimmed(line)}}`)
    const { format } = Object(value) as { format?: unknown }
    if (typeof format === 'number' && format > FORMAT) throw new StoreTooNewError(this.#path, format)
    if (typeof format === 'number' && format < FORMAT) throw new StoreTooOldError(this.#path, format)
    return readAs(Header, value, () => this.#damaged('it does not begin like a snapshot'))
  }

  /** Not validated: the checksum at the end proves that the entry is as it was written. */
  #parseEntry<E extends SharedEntry | LocalEntry>(line: Line): E {
    const entry = jsonIn(trimmed(line))
    if (entry === undefined) throw this.#damaged('this line is not JSON')
    return entry as E
  }

  #expect(line: Line, text: string): void {
    if (line.bytes.toString() !== text) throw this.#damaged(MISPLACED)
  }

  #damaged(problem: string): StoreDamagedError {
    return new StoreDamagedError(this.#path, this.#offset, problem)
  }
}

/** The line without the newline and the comma before it. */
function trimmed({ bytes }: Line): string {
  const hasNewline = bytes.at(-1) === NEWLINE
  const end = bytes.length - (hasNewline ? 1 : 0)
  return bytes.toString('utf8', 0, hasNewline && bytes[end - 1] === COMMA ? end - 1 : end)
}

const COMMA = 0x2c
