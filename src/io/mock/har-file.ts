import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EntryScanner } from '../../domain/mock/entry-scanner.ts'
import { entryOf, exchangeIn, originIn } from '../../domain/mock/har.ts'
import type { Exchange } from '../../domain/mock/judge.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import type { Json } from '../../protocol/json/json.ts'
import type { Observed } from './proxy.ts'

const LONGEST_ENTRY = 16 * 1024 * 1024
/** Bytes of a file that is written; later exchanges are only counted. */
const LONGEST_FILE = 64 * 1024 * 1024
const MOST_FILES = 20

class HarError extends Error {
  override readonly name = 'HarError'
  readonly next = 'Give a HAR (HTTP Archive) as browsers and test runners record it'
}

/**
 * Reads a HAR of any length, one entry at a time. With an origin only what was sent there counts. Entries that are too
 * long to be looked at, or no JSON, are skipped.
 */
export async function readHar(
  source: string | AsyncIterable<Uint8Array>,
  { origin, each }: { origin: string | undefined; each: (exchange: Exchange) => void },
) {
  const hash = createHash('sha256')
  const decoder = new TextDecoder()
  const scanner = new EntryScanner(LONGEST_ENTRY)
  let entries = 0
  let broken = 0
  const take = (text: string) => {
    const entry = jsonIn(text) as Json | undefined
    if (entry === undefined) return void broken++
    entries++
    if (origin !== undefined && originIn(entry) !== origin) return
    const exchange = exchangeIn(entry, (base64) => Buffer.from(base64, 'base64'))
    if (exchange !== undefined) each(exchange)
  }
  for await (const chunk of chunksOf(source)) {
    hash.update(chunk)
    for (const text of scanner.push(decoder.decode(chunk, { stream: true }))) take(text)
  }
  for (const text of scanner.push(decoder.decode())) take(text)
  if (!scanner.isWhole)
    throw new HarError(
      entries === 0
        ? '--har: this is no HAR, for it has no log with entries'
        : `--har: the file ends in the middle, after ${entries} entries`,
    )
  return { sha256: hash.digest('hex'), entries, skipped: scanner.skipped + broken }
}

async function* chunksOf(source: string | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* typeof source === 'string' ? (createReadStream(source) as AsyncIterable<Buffer>) : source
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new HarError(`--har: cannot be read (${code})`)
  }
}

/**
 * A HAR that is written while exchanges go by, in a folder of its own, readable by its owner alone; the oldest of many
 * files are removed.
 */
export async function createHarFile(
  folder: string,
  name: string,
  creator: { name: string; version: string },
) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeOldest(folder)
  const path = join(folder, `${name}.har`)
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let length = 0
  let left = 0
  let written: Promise<unknown> = Promise.resolve()
  const write = (text: string) => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    length += bytes.length
    written = written.then(() => file.write(bytes))
    // Told by whoever closes it.
    written.catch(() => {})
  }
  write(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`)
  let isFirst = true
  return {
    path,
    add({ passed, exchange }: Observed, isKnown: boolean): void {
      if (length > LONGEST_FILE) {
        left++
        return
      }
      write(`${isFirst ? '' : ','}\n${JSON.stringify(entryOf(passed, isKnown ? exchange : undefined))}`)
      isFirst = false
    },
    /** Ends the file; answers its hash. */
    async close(): Promise<string> {
      write(`\n]${left === 0 ? '' : `,"comment":"${left} more exchanges were left out"`}}}\n`)
      try {
        await written
      } finally {
        await file.close()
      }
      return hash.digest('hex')
    },
  }
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.har')).sort()
  for (const name of names.slice(0, Math.max(0, names.length - MOST_FILES + 1)))
    await rm(join(folder, name), { force: true })
}
