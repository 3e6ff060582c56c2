import { readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ifThere } from '../system/code.ts'
import { exists } from '../system/exists.ts'

/** A file of the repository: its real path, and its text if it exists. */
export interface Found {
  readonly target: string
  readonly text: string | undefined
  /** Folders that have to be made first, outermost first. */
  readonly missing: readonly string[]
}

/** Why a file cannot be used; the sentence continues its path. */
export interface Problem {
  readonly problem: string
}

/** Larger files are not instructions or settings that people write by hand. */
const MOST_BYTES = 1024 * 1024

/** Follows symbolic links, but not out of the repository: files elsewhere are not for one repository to change. */
export async function findFile(root: string, path: string): Promise<Found | Problem> {
  try {
    const base = await realpath(root)
    const { target, missing } = await whereItLies(base, path.split('/'))
    if (!isInside(base, target)) return { problem: 'leads out of this repository, so it was left as it is' }
    return { target, missing, text: missing.length > 0 ? undefined : await readText(target) }
  } catch (error) {
    if (error instanceof Unusable) return { problem: error.message }
    return { problem: whyNot(error) }
  }
}

class Unusable extends Error {
  override readonly name = 'Unusable'
}

async function whereItLies(base: string, names: readonly string[]) {
  let target = base
  const missing: string[] = []
  for (const [index, name] of names.entries()) {
    target = await throughLinks(join(target, name))
    const isLast = index === names.length - 1
    if (!isLast && isInside(base, target) && !(await exists(target))) missing.push(target)
  }
  return { target, missing }
}

/** Also through a link whose target does not exist yet, because writing to the link would make it. */
async function throughLinks(path: string): Promise<string> {
  const real = await ifThere(realpath(path))
  if (real !== undefined) return real
  const link = await readlink(path).catch(() => undefined)
  if (link === undefined) return path
  // The path of the target can contain further links, and one of them may lead out of the repository.
  const next = resolve(dirname(path), link)
  return await throughLinks(join(await throughLinks(dirname(next)), basename(next)))
}

async function readText(path: string): Promise<string | undefined> {
  const found = await ifThere(stat(path))
  if (found === undefined) return undefined
  if (!found.isFile()) throw new Unusable('is not a file')
  if (found.size > MOST_BYTES) throw new Unusable('is larger than 1 MiB, so it was left as it is')
  const bytes = await readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Unusable('is not UTF-8 text, so it was left as it is')
  }
}

export function isInside(base: string, path: string): boolean {
  const way = relative(base, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written by this user',
  EPERM: 'may not be read or written by this user',
  EROFS: 'lies on a disk that is read-only',
  ENOSPC: 'does not fit: the disk is full',
  ENOTDIR: 'cannot be there: one of its folders is a file',
  EEXIST: 'cannot be there: one of its folders is a file',
  ELOOP: 'is a link that leads to itself',
}

/** A sentence that continues the path. */
export function whyNot(error: unknown): string {
  const code = String((error as NodeJS.ErrnoException).code)
  return REASONS[code] ?? `cannot be used (${code})`
}
