import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '../../../protocol/text/sha256.ts'
import { withReserve } from '../../place/reserve.ts'
import { StoreLockedError } from '../store-errors.ts'
import { holderIn, ownHolder, whereaboutsOf } from './lock-holder.ts'
import { openLockSocket, SOCKET_NAME, socketPath } from './lock-socket.ts'

/** What names a holder. */
const LOCK = /^lock(?:-[a-z0-9-]+)?$/
/** What is written aside before it gets its name. */
const ASIDE = /^lock\b.*\.[0-9a-f-]{36}\.tmp$/
/** A living process puts its name into what it writes aside well within this time. */
const UNSIGNED_MS = 60_000

/**
 * One process at a time; each kind of process that works on a directory has a lock of its own. It names its holder, so
 * that of a killed process is taken over at once. Who cannot tell whether the holder lives does not get in.
 */
export async function lockDirectory(
  directory: string,
  name: 'lock' | 'lock-background' = 'lock',
): Promise<AsyncDisposable> {
  const path = join(directory, name)
  const nonce = randomUUID()
  const content = JSON.stringify(await ownHolder(directory, nonce))
  // Before the lock has its name: whoever finds it may ask at once.
  const socket = await openLockSocket(directory, nonce)
  const release = async () => {
    await removeIfStill(path, content)
    await socket?.[Symbol.asyncDispose]()
  }
  try {
    await withReserve(directory, () => acquire(path, content))
  } catch (error) {
    await release().catch(() => {}) // the first failure is the one to tell
    throw error
  }
  await sweep(directory).catch(() => {}) // leftovers are in nobody's way; the next start tries again
  return { [Symbol.asyncDispose]: release }
}

/** Throws StoreLockedError when somebody has, or may have, the lock who cannot be seen from here. */
export async function assertNotLockedElsewhere(directory: string): Promise<void> {
  const path = join(directory, 'lock')
  const held = await contentOf(path).catch(() => undefined)
  if (held === undefined) return
  const locked = await lockedBy(held, path)
  if (locked !== undefined && locked.whereabouts !== 'here') throw locked
}

async function acquire(path: string, content: string): Promise<void> {
  for (;;) {
    if (await createWhole(path, content)) return
    const held = await contentOf(path)
    if (held === undefined) continue
    const locked = await lockedBy(held, path)
    if (locked === undefined) {
      if (await takeOver(path, held, content)) return
    } else if ((await contentOf(path)) === held) throw locked
  }
}

/** Undefined when the process is gone that wrote this, or it was cut short by a power failure. */
async function lockedBy(content: string, path: string): Promise<StoreLockedError | undefined> {
  const holder = holderIn(content)
  if (holder === undefined) return undefined
  const directory = dirname(path)
  const whereabouts = await whereaboutsOf(holder, directory)
  if (whereabouts === 'gone') return undefined
  return new StoreLockedError(directory, holder.pid, { whereabouts, host: holder.host, file: path })
}

/**
 * Several processes may find the same dead holder. Only the one that has the lock on the right to succeed
 * that very holder may replace it, and only while it is still there. A process that dies in between leaves
 * a lock of the same kind, which is taken over in the same way.
 */
async function takeOver(path: string, held: string, content: string): Promise<boolean> {
  const succession = `${path}-after-${sha256(held).slice(0, 16)}`
  await acquire(succession, content)
  try {
    if ((await contentOf(path)) !== held) return false
    await withAside(path, content, (aside) => rename(aside, path))
    const before = holderIn(held)
    if (before !== undefined) await rm(socketPath(dirname(path), before.nonce), { force: true })
    return true
  } finally {
    await removeIfStill(succession, content)
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
  const names = await readdir(directory)
  const locks = await Promise.all(
    names.filter((name) => LOCK.test(name)).map((name) => contentOf(join(directory, name))),
  )
  for (const name of names) {
    const path = join(directory, name)
    const nonce = SOCKET_NAME.exec(name)?.[1]
    const isLeft =
      nonce === undefined
        ? ASIDE.test(name) && (await isLeftBehind(path))
        : !locks.some((content) => content?.includes(nonce)) && (await isOld(path))
    if (isLeft) await rm(path, { force: true })
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const content = await contentOf(path)
  if (content === undefined || (await lockedBy(content, path)) !== undefined) return false
  return holderIn(content) !== undefined || (await isOld(path))
}

const isOld = async (path: string): Promise<boolean> => Date.now() - (await stat(path)).mtimeMs > UNSIGNED_MS

async function removeIfStill(path: string, content: string): Promise<void> {
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

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
