import { crc32 } from 'node:zlib'
import { NEWLINE } from '../snapshot/lines.ts'
import type { Entry } from './entry.ts'

/**
 * A frame is one line of the journal and becomes durable as a whole:
 *
 *     <payload bytes, 8 hex> <crc, 8 hex> {"frame":<number>,"entries":[...]}
 *
 * The crc continues that of the frame before, so a missing or swapped frame is found like a damaged one.
 */
export interface Frame {
  readonly number: number
  readonly entries: readonly Entry[]
  readonly crc: number
}

const HEADER = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/
const HEADER_BYTES = 18

/**
 * No payload contains this text: a quote inside a JSON string is escaped, and outside of strings there are no spaces.
 * So wherever it is found, a frame begins.
 */
const FRAME_START = /[0-9a-f]{8} [0-9a-f]{8} \{"frame":/

/** The crc that a journal's first frame continues: frames of another store or another epoch do not fit. */
export const firstCrc = (storeId: string, epoch: number): number => crc32(`${storeId} ${epoch}`)

export function encodeFrame(number: number, entries: readonly string[], previousCrc: number) {
  const payload = Buffer.from(`{"frame":${number},"entries":[${entries.join(',')}]}`)
  const crc = crc32(payload, previousCrc)
  const header = Buffer.from(`${hex(payload.length)} ${hex(crc)} `)
  return { bytes: Buffer.concat([header, payload, Buffer.of(NEWLINE)]), crc }
}

/**
 * Every journal begins with a frame of no entries, which is durable before anything relies on the file. So a journal
 * that has lost its content is never taken for one in which nothing was written yet.
 */
export const openingFrame = (storeId: string, epoch: number, number: number) =>
  encodeFrame(number, [], firstCrc(storeId, epoch))

/** Undefined unless the line is exactly one whole frame that follows `previousCrc`. */
export function decodeFrame(line: Buffer, previousCrc: number): Frame | undefined {
  const header = HEADER.exec(line.toString('latin1', 0, HEADER_BYTES))
  if (header === null || line.at(-1) !== NEWLINE) return undefined
  const payload = line.subarray(HEADER_BYTES, -1)
  const crc = crc32(payload, previousCrc)
  if (header[1] !== hex(payload.length) || header[2] !== hex(crc)) return undefined
  const { frame, entries } = JSON.parse(payload.toString()) as { frame: number; entries: Entry[] }
  return { number: frame, entries, crc }
}

/** Whether a frame, complete or not, begins in these bytes at or after `from`. */
export const holdsFrameStart = (bytes: Buffer, from: number): boolean =>
  FRAME_START.test(bytes.toString('latin1', from))

const hex = (number: number): string => number.toString(16).padStart(8, '0')
