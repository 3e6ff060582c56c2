import { createSseParser } from '../../protocol/sse/parser.ts'

/** All that comes. Throws a RangeError where that is longer than `mostBytes`. */
export async function readBytes(source: AsyncIterable<unknown>, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += (chunk as Buffer).length
    if (size > mostBytes) throw new RangeError('More came than is read')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

export const readText = async (source: AsyncIterable<unknown>, mostBytes: number): Promise<string> =>
  (await readBytes(source, mostBytes)).toString()

/** The data of every event of a `text/event-stream`. Throws a RangeError at one with more than `mostChars`. */
export async function* readEvents(source: AsyncIterable<Uint8Array>, mostChars: number) {
  const decoder = new TextDecoder()
  const parser = createSseParser(mostChars)
  for await (const chunk of source) yield* parser.feed(decoder.decode(chunk, { stream: true }))
}
