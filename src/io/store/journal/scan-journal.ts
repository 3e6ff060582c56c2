import type { Disk } from '../directory/disk.ts'
import { type Line, readLines } from '../snapshot/lines.ts'
import { StoreDamagedError } from '../store-errors.ts'
import { decodeFrame, type Frame, holdsFrameStart } from './frame.ts'

export interface Scanned {
  /** Bytes up to the end of the last whole frame. */
  readonly size: number
  readonly crc: number
  readonly lastFrame: number
  /** Bytes follow that are not a whole frame: as far as can be known, a write that a crash cut short. */
  readonly isTorn: boolean
}

export interface ScanStart {
  readonly crc: number
  /** Number of the frame before the first one. */
  readonly lastFrame: number
}

/** Reads a journal and passes its frames on in order. Throws when anything but the last frame is damaged. */
export async function scanJournal(
  { disk, path }: { disk: Disk; path: string },
  start: ScanStart,
  onFrame: (frame: Frame) => void,
): Promise<Scanned> {
  let { crc, lastFrame } = start
  let size = 0
  let isTorn = false

  for await (const lines of readLines(disk.read(path))) {
    for (const line of lines) {
      const frame = isTorn ? undefined : decodeFrame(line.bytes, crc)
      if (frame === undefined) {
        assertNothingFollows(line, isTorn ? 0 : 1)
        isTorn = true
      } else {
        if (frame.number !== lastFrame + 1) throw damaged(line.offset, `frame ${lastFrame + 1} is missing`)
        onFrame(frame)
        crc = frame.crc
        lastFrame = frame.number
        size = line.offset + line.bytes.length
      }
    }
  }
  return { size, crc, lastFrame, isTorn }

  /**
   * A frame is written only when the one before it is durable. So if another frame begins after the damage, complete
   * or not, a crash cannot be the cause, and cutting here would lose acknowledged writes.
   */
  function assertNothingFollows(line: Line, from: number): void {
    if (holdsFrameStart(line.bytes, from))
      throw damaged(size, `frame ${lastFrame + 1} is unreadable, but others follow it`)
  }

  function damaged(offset: number, problem: string): StoreDamagedError {
    return new StoreDamagedError(path, offset, problem)
  }
}
