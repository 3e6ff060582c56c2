import { expect, test } from 'vitest'
import { readLines } from '../../../../src/io/store/snapshot/lines.ts'

async function* slicesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

test.each([1, 2, 3, 5, 100])(
  'lines come out whole and with their offsets from slices of %i bytes',
  async (size) => {
    const lines: [number, string][] = []
    for await (const some of readLines(slicesOf('one\n\nzwölf\nopen', size))) {
      for (const line of some) lines.push([line.offset, line.bytes.toString()])
    }
    expect(lines).toEqual([
      [0, 'one\n'],
      [4, '\n'],
      [5, 'zwölf\n'],
      [12, 'open'],
    ])
  },
)
