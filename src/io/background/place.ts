import { dirname, resolve } from 'node:path'
import { findDataDir } from '../place/data-dir.ts'
import { findRoot } from '../place/discover-repo.ts'
import { movedStore } from '../place/remembered-store.ts'

export interface PlaceOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataDir?: string | undefined
}

/** The data directory of a repository's daemon, and the folder in which it is started. */
export interface Place {
  readonly dataDir: string
  readonly cwd: string
  /** A data directory above the repository, which belongs to another daemon. */
  readonly above?: string
}

/**
 * The data directory of this repository, never one outside of it. Without a repository, the nearest data directory
 * upwards.
 */
export async function placeOf({ cwd, env, dataDir }: PlaceOptions): Promise<Place> {
  const named = namedIn({ env, dataDir })
  if (named !== undefined) return { dataDir: resolve(cwd, named), cwd }
  const { root, isRepository } = await findRoot(cwd)
  const found = await findDataDir(cwd)
  const own = { dataDir: resolve(root, '.cacp'), cwd: root }
  if (found === undefined) return own
  const folder = dirname(found)
  // Whatever lies above the root is outside of the repository.
  if (isRepository && folder.length < root.length) return { ...own, above: found }
  return { dataDir: found, cwd: isRepository ? root : folder }
}

/** The data directory that the daemon of a repository uses now, also if another one was named when it was started. */
export async function dataDirInUse(options: PlaceOptions): Promise<string> {
  const { dataDir, cwd } = await placeOf(options)
  const moved = namedIn(options) === undefined ? await movedStore({ root: cwd, dataDir }) : undefined
  return moved ?? dataDir
}

const namedIn = ({ env, dataDir }: Pick<PlaceOptions, 'env' | 'dataDir'>): string | undefined =>
  dataDir || env['CACP_DATA'] || undefined
