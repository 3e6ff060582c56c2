import { appendFile, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditLine, isAskedFor } from '../../domain/trust/audit.ts'
import type { AuditTrail, Clock } from '../../engine/ports/ports.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { ifThere } from '../system/code.ts'
import { createAuditBuffer } from './buffer.ts'

interface AuditTrailOptions {
  directory: string
  clock: Pick<Clock, 'now'>
  log: { warn(details: object, message: string): void }
  /** The size of all files together; the oldest file is removed to make room. */
  totalBytes: number
  flushMillis?: number
}

const FLUSH_MILLIS = 200
/** The trail is split into this many files, which are removed and searched one by one. */
const FILES = 16
const NAME = /^audit-(\d{6,12})\.ndjson$/
const NEWLINE = 0x0a

/**
 * One line of JSON per decision, in files that are only appended to. Lines are collected and written in the
 * background: no call waits for them. Written lines survive the end of the process; a line that was cut off is
 * skipped when the trail is read.
 */
export async function openAuditTrail(options: AuditTrailOptions): Promise<AuditTrail & AsyncDisposable> {
  const { directory, clock, log, totalBytes, flushMillis = FLUSH_MILLIS } = options
  const buffer = createAuditBuffer()
  let last = await newestIn(directory)
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  let isFailing = false
  let isClosed = false

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    isWriting = true
    writing = writing.then(write).finally(() => {
      isWriting = false
    })
    return writing
  }

  async function write(): Promise<void> {
    const { lines, lost } = buffer.take()
    if (lines.length === 0 && lost === 0) return
    const before: AuditLine[] =
      lost === 0 ? [] : [{ at: clock.now(), outcome: 'lost', what: 'audit', times: lost }]
    const text = [...before, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
    try {
      await append(Buffer.from(text))
      isFailing = false
    } catch (error) {
      // The last line may be incomplete.
      last.isTorn = true
      buffer.lose(lines.length + lost)
      if (!isFailing)
        log.warn({ err: error }, 'the audit trail cannot be written; lines are lost until it can')
      isFailing = true
    }
  }

  async function append(bytes: Buffer): Promise<void> {
    if (last.size > 0 && last.size + bytes.length > totalBytes / FILES) {
      last = { number: last.number + 1, size: 0, isTorn: false }
      await dropOldest()
    }
    const content = last.isTorn ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes
    await appendFile(pathOf(directory, last.number), content, { mode: 0o600 })
    last.size += content.length
    last.isTorn = false
  }

  async function dropOldest(): Promise<void> {
    const numbers = await numbersIn(directory)
    for (const number of numbers.slice(0, Math.max(0, numbers.length - FILES + 1)))
      await rm(pathOf(directory, number), { force: true })
  }

  return {
    record(line) {
      buffer.add(line)
      if (isClosed) return
      if (buffer.isFilling() && !isWriting) void flush()
      else timer ??= setTimeout(flush, flushMillis)
    },

    async list(query) {
      await flush()
      const found: AuditLine[] = []
      for (const number of (await numbersIn(directory)).reverse()) {
        // The oldest file may be removed during a search.
        const text = await ifThere(readFile(pathOf(directory, number), 'utf8'))
        for (const line of (text ?? '').split('\n').reverse()) {
          if (found.length === query.limit) return found
          // Undefined for a line that was cut off.
          const read = jsonIn(line) as AuditLine | undefined
          if (read !== undefined && isAskedFor(read, query)) found.push(read)
        }
      }
      return found
    },

    [Symbol.asyncDispose]() {
      isClosed = true
      return flush()
    },
  }
}

/** `isTorn`: whether its last line is incomplete. */
async function newestIn(directory: string) {
  const number = (await numbersIn(directory)).at(-1)
  if (number === undefined) return { number: 1, size: 0, isTorn: false }
  const file = await open(pathOf(directory, number), 'r')
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return { number, size, isTorn: size > 0 && buffer[0] !== NEWLINE }
  } finally {
    await file.close()
  }
}

const pathOf = (directory: string, number: number): string =>
  join(directory, `audit-${String(number).padStart(6, '0')}.ndjson`)

async function numbersIn(directory: string): Promise<number[]> {
  const names = await readdir(directory)
  const numbers = names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
  return numbers.sort((a, b) => a - b)
}
