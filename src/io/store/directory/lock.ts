import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '../../../protocol/text/sha256.ts'
import { withReservedSpace } from '../../place/reserved-space.ts'
import { ifThere, systemCode } from '../../system/code.ts'
import { StoreLockedError } from '../store-errors.ts'
import { holderIn, ownHolder, whereaboutsOf } from './lock-holder.ts'
import { openLockSocket, SOCKET_NAME, socketPath } from './lock-socket.ts'

/** The name of a lock file. */
const LOCK = /^lock(?:-[a-z0-9-]+)?$/
/** The name of the temporary file that a lock file is made from. */
const TEMPORARY = /^lock\b.*\.[0-9a-f-]{36}\.tmp$/
/** A running process writes its holder into the temporary file well within this time. */
const UNSIGNED_MS = 60_000

/**
 * Lets one process at a time in; each kind of process that works on a directory has its own lock. The lock names its
 * holder, so the lock of a killed process is taken over at once. If it is unknown whether the holder runs, locking
 * fails.
 */
export async function lockDirectory(directory: string, name: 'lock' | 'lock-background' = 'lock') {
  const path = join(directory, name)
  const nonce = randomUUID()
  const content = JSON.stringify(await ownHolder(directory, nonce))
  // Opened before the lock file exists, because whoever finds the lock may connect at once.
  const socket = await openLockSocket(directory, nonce)
  const release = async () => {
    await removeIfStill(path, content)
    await socket?.[Symbol.asyncDispose]()
  }
  try {
    await withReservedSpace(directory, () => acquire(path, content))
  } catch (error) {
    await release().catch(() => {}) // the first failure is the one to report
    throw error
  }
  await sweep(directory).catch(() => {}) // leftovers do no harm; the next start tries again
  return { [Symbol.asyncDispose]: release }
}

/** Throws StoreLockedError when a process in another container or on another machine has the lock, or may have it. */
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

/** Undefined when the process that wrote this is gone, or when a power failure cut the write short. */
async function lockedBy(content: string, path: string): Promise<StoreLockedError | undefined> {
  const holder = holderIn(content)
  if (holder === undefined) return undefined
  const directory = dirname(path)
  const whereabouts = await whereaboutsOf(holder, directory)
  if (whereabouts === 'gone') return undefined
  return new StoreLockedError(directory, holder.pid, { whereabouts, host: holder.host, file: path })
}

/**
 * Several processes may find the same dead holder. Only the process that gets a second lock, the right to succeed
 * that very holder, may replace the first, and only while it is unchanged. A process that dies in between leaves a
 * second lock, which is taken over in the same way.
 */
async function takeOver(path: string, held: string, content: string): Promise<boolean> {
  const succession = `${path}-after-${sha256(held).slice(0, 16)}`
  await acquire(succession, content)
  try {
    if ((await contentOf(path)) !== held) return false
    await withTemporary(path, content, (temporary) => rename(temporary, path))
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
    await withTemporary(path, content, (temporary) => link(temporary, path))
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

async function withTemporary(path: string, content: string, use: (temporary: string) => Promise<void>) {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600 })
    await use(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Removes the temporary files and sockets of processes that were killed while they tried to get the lock. */
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
        ? TEMPORARY.test(name) && (await isLeftBehind(path))
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

const contentOf = (path: string): Promise<string | undefined> => ifThere(readFile(path, 'utf8'))
