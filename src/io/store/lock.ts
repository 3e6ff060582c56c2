import { createHash, randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { processStart } from './process-start.ts'
import { StoreLockedError } from './store-errors.ts'

const Holder = z.object({ pid: z.int().min(1), started: z.string(), nonce: z.string() })

/** One process at a time. The lock names its holder, so that of a killed process is taken over at once. */
export async function lockDirectory(directory: string): Promise<AsyncDisposable> {
  const path = join(directory, 'lock')
  const started = (await processStart(process.pid)) ?? 'unknown'
  const content = JSON.stringify({ pid: process.pid, started, nonce: randomUUID() })
  await acquire(path, content, directory)
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
  const succession = `${path}-after-${createHash('sha256').update(held).digest('hex').slice(0, 16)}`
  await acquire(succession, content, directory)
  try {
    if ((await contentOf(path)) !== held) return false
    const whole = await writeAside(path, content)
    await rename(whole, path)
    return true
  } finally {
    await release(succession, content)
  }
}

/** Creates the file with its content in one step; false when the name is taken. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const whole = await writeAside(path, content)
  try {
    await link(whole, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(whole, { force: true })
  }
}

async function writeAside(path: string, content: string): Promise<string> {
  const aside = `${path}.${randomUUID()}.tmp`
  await writeFile(aside, content, { flag: 'wx', mode: 0o600 })
  return aside
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
  const holder = Holder.safeParse(parsed(content))
  if (!holder.success) return undefined
  const { pid, started } = holder.data
  return (await processStart(pid)) === started ? pid : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
