import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { createInTurn } from '../../engine/ports/in-turn.ts'
import type { RepositoryFiles } from '../../engine/ports/ports.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'

/** Larger files are left out. */
const MOST_BYTES = 64 * 1024 * 1024
/** Files that are read at the same time. */
const AT_ONCE = 16
/** Most files whose hash is remembered; the oldest are forgotten. */
const MOST_REMEMBERED = 100_000
/** A file that was written this short ago may be written again without a change of its time. */
const RACY_MILLIS = 2000

interface Remembered {
  readonly size: number
  readonly mtimeMs: number
  readonly ino: number
  readonly sha256: string
}

/**
 * Hashes files below a root. Links are not followed, and what lies outside is not there. A file that has the size, time
 * and inode of before is not read again.
 */
export function createRepositoryFiles(root: string): RepositoryFiles {
  const remembered = new Map<string, Remembered>()
  const inTurn = createInTurn(AT_ONCE)

  async function hashOne(path: string, root: Root): Promise<string | null> {
    const full = await placeOf(path, root)
    if (full === undefined) return null
    const known = remembered.get(full)
    // Asked for without opening it, because of thousands of files nearly all are as they were.
    if (known !== undefined && isSame(known, await lstat(full))) return known.sha256
    return inTurn(() => hashAgain(full))
  }

  async function hashAgain(full: string): Promise<string | null> {
    const file = await openIfThere(full)
    if (file === undefined) return null
    try {
      const about = await file.stat()
      const { size, mtimeMs, ino } = about
      if (!about.isFile() || size > MOST_BYTES) return null
      const sha256 = await hashOf(file)
      remembered.delete(full)
      if (sha256 !== null && Date.now() - mtimeMs > RACY_MILLIS)
        remembered.set(full, { size, mtimeMs, ino, sha256 })
      const [oldest] = remembered.size > MOST_REMEMBERED ? remembered.keys() : []
      if (oldest !== undefined) remembered.delete(oldest)
      return sha256
    } finally {
      await file.close()
    }
  }

  return {
    async hash(paths) {
      if (paths.length === 0) return []
      const inside = await realpath(root).catch(() => undefined)
      if (inside === undefined) return paths.map(() => null)
      const place = { inside, folders: new Map() }
      return Promise.all(paths.map((path) => hashOne(path, place).catch(() => null)))
    },
  }
}

interface Root {
  readonly inside: string
  /** Where folders really are, each looked up once while one list of files is hashed. */
  readonly folders: Map<string, Promise<string | undefined>>
}

/** Undefined for a path that leads out of the root, by its words or by a link among its folders. */
async function placeOf(path: string, { inside, folders }: Root): Promise<string | undefined> {
  if (path === '' || isAbsolute(path) || path.includes('\0')) return undefined
  const full = join(inside, path)
  const folder = dirname(full)
  const real = await getOrAdd(folders, folder, () => realpath(folder).catch(() => undefined))
  if (real !== folder) return undefined
  const within = relative(inside, full)
  return within === '' || within.split(sep)[0] === '..' ? undefined : full
}

const isSame = ({ size, mtimeMs, ino }: Remembered, about: Stats): boolean =>
  about.isFile() && about.size === size && about.mtimeMs === mtimeMs && about.ino === ino

const openIfThere = (full: string): Promise<FileHandle | undefined> =>
  // A named pipe must not keep the daemon waiting for a writer.
  open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)

/** Null for a file that grows beyond the limit while it is read. */
async function hashOf(file: FileHandle): Promise<string | null> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return null
    hash.update(chunk)
  }
  return hash.digest('hex')
}
