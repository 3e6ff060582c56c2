import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonIn } from '../../protocol/json-in.ts'
import { sha256 } from '../../protocol/sha256.ts'
import { processStart } from '../process-start.ts'
import { StoreLockedError } from './store-errors.ts'

/** What is written aside before it gets its name. */
const ASIDE = /^lock\b.*\.[0-9a-f-]{36}\.tmp$/
/** A living process puts its name into what it writes aside well within this time. */
const UNSIGNED_MS = 60_000

const Holder = z.object({ pid: z.int().min(1), started: z.string(), nonce: z.string() })

/**
 * One process at a time; each kind of process that works on a directory has a lock of its own. It names its holder, so
 * that of a killed process is taken over at once.
 */
export async function lockDirectory(
  directory: string,
  name: 'lock' | 'lock-background' = 'lock',
): Promise<AsyncDisposable> {
  const path = join(directory, name)
  const started = (await processStart(process.pid)) ?? 'unknown'
  const content = JSON.stringify({ pid: process.pid, started, nonce: randomUUID() })
  await acquire(path, content, directory)
  await sweep(directory).catch(() => {}) // leftovers are in nobody's way; the next start tries again
  return { [Symbol.asyncDispose]: () => release(path, content) }
}

async function acquire(path: string, content: string, directory: string): Promise<void> {
  for (;;) {
    if (await createWhole(path, content)) return
    const held = await contentOf(path)
    if (held === undefined) continue
    const pid = await livingHolder(held)
    if (pid !== undefined) throw new StoreLockedError(directory, pid)
    if (await takeOver(path, held, content, directory)) return
  }
}

/**
 * Several processes may find the same dead holder. Only the one that has the lock on the right to succeed
 * that very holder may replace it, and only while it is still there. A process that dies in between leaves
 * a lock of the same kind, which is taken over in the same way.
 */
async function takeOver(path: string, held: string, content: string, directory: string): Promise<boolean> {
  const succession = `${path}-after-${sha256(held).slice(0, 16)}`
  await acquire(succession, content, directory)
  try {
    if ((await contentOf(path)) !== held) return false
    await withAside(path, content, (aside) => rename(aside, path))
    return true
  } finally {
    await release(succession, content)
  }
}

/** Creates the file with its content in one step; false when the name is taken. */
async function createWhole(path: string, content: string): Promise<boolean> {
  try {
    await withAside(path, content, (aside) => link(aside, path))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function withAside(
  path: string,
  content: string,
  use: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(aside, content, { flag: 'wx', mode: 0o600 })
    await use(aside)
  } finally {
    await rm(aside, { force: true })
  }
}

/** Removes what processes left aside that were killed while they tried to get the lock. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    if (ASIDE.test(name) && (await isLeftBehind(path))) await rm(path, { force: true })
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const content = await contentOf(path)
  if (content === undefined || (await livingHolder(content)) !== undefined) return false
  const isSigned = Holder.safeParse(jsonIn(content)).success
  return isSigned || Date.now() - (await stat(path)).mtimeMs > UNSIGNED_MS
}

async function release(path: string, content: string): Promise<void> {
  if ((await contentOf(path)) === content) await rm(path, { force: true })
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The holder's pid if it still runs. A lock that does not read as one was cut short by a power failure. */
async function livingHolder(content: string): Promise<number | undefined> {
  const holder = Holder.safeParse(jsonIn(content))
  if (!holder.success) return undefined
  const { pid, started } = holder.data
  return (await processStart(pid)) === started ? pid : undefined
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
