import { createHash } from 'node:crypto'
import { constants, lstatSync, realpathSync, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FileLook, MOST_FILE_BYTES, type WhyIgnored } from '../../domain/proof/ignored-file.ts'
import { createInTurn } from '../../engine/ports/in-turn.ts'
import type { RepositoryFiles } from '../../engine/ports/ports.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'

/** Files that are read at the same time. */
const AT_ONCE = 16
/** Most files whose hash is remembered; the oldest are forgotten. */
const MOST_REMEMBERED = 100_000
/** A file that was written this short ago may be written again without a change of its time. */
const RACY_MILLIS = 2000
/** How long files are asked for before others have their turn. */
const SLICE_MILLIS = 5

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

  // Without waiting for each: of thousands of files nearly all are as they were, and to wait takes longer than to ask.
  function lookAt(path: string, root: Root): FileLook | Promise<FileLook> {
    const full = placeOf(path, root)
    if (typeof full !== 'string') return full
    const about = statOf(full)
    if (about instanceof Error) return { ignored: whyNot(about) }
    const why = whyIgnored(about)
    if (why !== undefined) return { ignored: why }
    const known = remembered.get(full)
    return known !== undefined && isSame(known, about) ? known : inTurn(() => hashAgain(full))
  }

  async function hashAgain(full: string): Promise<FileLook> {
    const file = await openFile(full)
    if (file instanceof Error) return { ignored: whyNot(file) }
    try {
      const about = await file.stat()
      const why = whyIgnored(about)
      const sha256 = why === undefined ? await hashOf(file) : undefined
      remembered.delete(full)
      if (sha256 === undefined) return { ignored: why ?? 'large' }
      const { size, mtimeMs, ino } = about
      if (Date.now() - mtimeMs > RACY_MILLIS) remembered.set(full, { size, mtimeMs, ino, sha256 })
      const [oldest] = remembered.size > MOST_REMEMBERED ? remembered.keys() : []
      if (oldest !== undefined) remembered.delete(oldest)
      return { sha256 }
    } catch (error) {
      return { ignored: whyNot(error) }
    } finally {
      await file.close()
    }
  }

  return {
    async look(paths) {
      if (paths.length === 0) return []
      const inside = await realpath(root).catch(() => undefined)
      if (inside === undefined) return paths.map(() => ({ ignored: 'missing' }))
      const place = { inside, folders: new Map() }
      const looks: (FileLook | Promise<FileLook>)[] = []
      let began = performance.now()
      for (const path of paths) {
        looks.push(lookAt(path, place))
        if (performance.now() - began < SLICE_MILLIS) continue
        await nextTurn()
        began = performance.now()
      }
      return Promise.all(looks)
    },
  }
}

interface Root {
  readonly inside: string
  /** Whether files of a folder count, each folder looked up once while one list of files is looked at. */
  readonly folders: Map<string, 'inside' | WhyIgnored>
}

/** The full path, unless it leads out of the root, by its words or by a link among its folders. */
function placeOf(path: string, { inside, folders }: Root): string | FileLook {
  if (path.includes('\0')) return { ignored: 'missing' }
  if (isAbsolute(path)) return { ignored: 'absolute' }
  const full = join(inside, path)
  if (full === inside) return { ignored: 'special' }
  const folder = dirname(full)
  const where = getOrAdd(folders, folder, () => whereIs(folder, inside))
  return where === 'inside' ? full : { ignored: where }
}

function whereIs(folder: string, inside: string): 'inside' | WhyIgnored {
  if (folder !== inside && !folder.startsWith(inside.endsWith(sep) ? inside : inside + sep)) return 'outside'
  try {
    return realpathSync.native(folder) === folder ? 'inside' : 'link'
  } catch (error) {
    return whyNot(error)
  }
}

function statOf(full: string): Stats | Error {
  try {
    return lstatSync(full)
  } catch (error) {
    return error as Error
  }
}

const WHY_NOT: Readonly<Record<string, WhyIgnored>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'link',
  ENXIO: 'special',
}

const whyNot = (error: unknown): WhyIgnored =>
  WHY_NOT[(error as NodeJS.ErrnoException).code ?? ''] ?? 'unreadable'

function whyIgnored(about: Stats): WhyIgnored | undefined {
  if (about.isSymbolicLink()) return 'link'
  if (!about.isFile()) return 'special'
  return about.size > MOST_FILE_BYTES ? 'large' : undefined
}

const isSame = ({ size, mtimeMs, ino }: Remembered, about: Stats): boolean =>
  about.size === size && about.mtimeMs === mtimeMs && about.ino === ino

const openFile = (full: string): Promise<FileHandle | Error> =>
  // A named pipe must not keep the daemon waiting for a writer.
  open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: Error) => error)

/** Undefined for a file that grows beyond the limit while it is read. */
async function hashOf(file: FileHandle): Promise<string | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream({ autoClose: false, start: 0 })) {
    bytes += chunk.length
    if (bytes > MOST_FILE_BYTES) return undefined
    hash.update(chunk)
  }
  return hash.digest('hex')
}
