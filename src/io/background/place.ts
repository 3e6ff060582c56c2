import { dirname, resolve } from 'node:path'
import { findDataDir } from '../place/data-dir.ts'
import { findRoot } from '../place/discover-repo.ts'
import { movedStore } from '../place/remembered-store.ts'

export interface PlaceOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly dataDir?: string | undefined
}

/** Where the daemon of a repository keeps its data, and the folder that it is started in. */
export interface Place {
  readonly dataDir: string
  readonly cwd: string
  /** A data directory above the repository: that of another daemon, which must not be taken for this one. */
  readonly above?: string
}

/**
 * That of this repository, and of no other around it. Where there is no repository, the nearest data directory
 * upwards says what belongs together.
 */
export async function placeOf({ cwd, env, dataDir }: PlaceOptions): Promise<Place> {
  const named = namedIn({ env, dataDir })
  if (named !== undefined) return { dataDir: resolve(cwd, named), cwd }
  const { root, isRepository } = await findRoot(cwd)
  const found = await findDataDir(cwd)
  const own = { dataDir: resolve(root, '.cacp'), cwd: root }
  if (found === undefined) return own
  const folder = dirname(found)
  // Whatever lies upwards of the root is outside of the repository.
  if (isRepository && folder.length < root.length) return { ...own, above: found }
  return { dataDir: found, cwd: isRepository ? root : folder }
}

/** Where the daemon of a repository keeps its data now: also in another place that was named when it was started. */
export async function dataDirInUse(options: PlaceOptions): Promise<string> {
  const { dataDir, cwd } = await placeOf(options)
  const moved = namedIn(options) === undefined ? await movedStore({ root: cwd, dataDir }) : undefined
  return moved ?? dataDir
}

const namedIn = ({ env, dataDir }: Pick<PlaceOptions, 'env' | 'dataDir'>): string | undefined =>
  dataDir || env['CACP_DATA'] || undefined
