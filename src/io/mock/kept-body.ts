import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Content, contentOf, type Headers, headerOf, mediaIn } from '../../domain/mock/message.ts'

/** Longest body that is looked at, as it came and without compression. */
const LONGEST = 1024 * 1024
const LONGEST_INFLATED = 4 * 1024 * 1024

/** What is kept of a body that goes by. However long it is, only so much is kept of it. */
export class KeptBody {
  #chunks: Buffer[] = []
  #length = 0

  readonly add = (chunk: Buffer): void => {
    this.#length += chunk.length
    if (this.#length <= LONGEST) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /** `end`: whether all of it came, it broke off, or nobody wanted the rest. */
  content(headers: Headers, end: 'whole' | 'broken' | 'left'): Content {
    const type = headerOf(headers, 'content-type')
    const media = mediaIn(type)
    if (end === 'broken') return { kind: 'unread', media, why: 'broke off', isLeftOut: false }
    if (end === 'left') return { kind: 'unread', media, why: 'was not awaited', isLeftOut: true }
    if (this.#length > LONGEST)
      return { kind: 'unread', media, why: `is longer than ${LONGEST} bytes`, isLeftOut: true }
    const bytes = inflated(Buffer.concat(this.#chunks), headerOf(headers, 'content-encoding') ?? '')
    return bytes === undefined
      ? { kind: 'unread', media, why: 'is in no known encoding', isLeftOut: true }
      : contentOf(bytes, type)
  }
}

const INFLATE: Readonly<Record<string, (bytes: Buffer, rules: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Undefined of what is compressed in a way that is not known, or becomes too long. */
function inflated(bytes: Buffer, encoding: string): Buffer | undefined {
  let found: Buffer | undefined = bytes
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const word = name.trim()
    if (word === '' || word === 'identity' || found.length === 0) continue
    try {
      found = INFLATE[word]?.(found, { maxOutputLength: LONGEST_INFLATED })
    } catch {
      return undefined
    }
    if (found === undefined) return undefined
  }
  return found
}
