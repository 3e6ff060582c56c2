export interface Line {
  /** The position of its first byte in the file. */
  readonly offset: number
  /** Includes the newline; only the last line of a file can lack it. */
  readonly bytes: Buffer
}

export const NEWLINE = 0x0a

/**
 * The lines of a file that is read in slices. Yields the lines of each slice as a list, because yielding them one by
 * one would cost a turn of the event loop each.
 */
export async function* readLines(slices: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let offset = 0
  let unfinished: Buffer[] = []
  for await (const slice of slices) {
    const bytes = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength)
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const rest = bytes.subarray(start, end + 1)
      const line = unfinished.length === 0 ? rest : Buffer.concat([...unfinished, rest])
      lines.push({ offset, bytes: line })
      offset += line.length
      start = end + 1
      unfinished = []
    }
    if (start < bytes.length) unfinished.push(bytes.subarray(start))
    yield lines
  }
  if (unfinished.length > 0) yield [{ offset, bytes: Buffer.concat(unfinished) }]
}
