import { basename, resolve } from 'node:path'
import { isAlive } from '../runner/process-start.ts'
import { assertNotLockedElsewhere } from '../store/directory/lock.ts'
import { DataDirError, type Endpoint, findDataDir, readEndpoint, readOperatorKey } from './data-dir.ts'
import { findRoot } from './discover-repo.ts'
import { assertStoreNotLost, movedStore } from './remembered-store.ts'

export interface FindOptions {
  /**
   * Named by the user; otherwise CACP_DATA, the nearest one upwards from `cwd`, or the one it was moved to, in this
   * order.
   */
  readonly dataDir?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export interface FoundDaemon {
  readonly dataDir: string
  readonly endpoint: Endpoint
  readonly key: string
}

/** No daemon is running; one can be started. */
export class NotRunningError extends DataDirError {}

export async function locateDataDir({
  dataDir,
  env = process.env,
  cwd = process.cwd(),
}: FindOptions): Promise<string> {
  const named = dataDir || env['CACP_DATA'] || undefined
  const directory = named === undefined ? await findDataDir(cwd) : resolve(cwd, named)
  if (directory !== undefined) return directory
  const { root } = await findRoot(cwd)
  const own = { root, dataDir: resolve(root, '.cacp') }
  const moved = await movedStore(own)
  if (moved !== undefined) return moved
  await assertStoreNotLost(own)
  throw new NotRunningError(
    `No data directory of cacpd in ${cwd} or any folder above`,
    'Run `cacpd up -d` in the repository, or name the directory with --data DIR or CACP_DATA',
  )
}

/** The daemon that runs on a data directory, with the operator key. */
export async function findDaemon(options: FindOptions): Promise<FoundDaemon> {
  const dataDir = await locateDataDir(options)
  const endpoint = await readEndpoint(dataDir)
  if (endpoint === undefined)
    throw new NotRunningError(`No daemon was ever started with ${dataDir}`, howToStart(dataDir))
  // Another process may have got the port or the pid since then, and must not get the key.
  if (!(await isAlive(endpoint))) {
    await assertNotLockedElsewhere(dataDir)
    throw new NotRunningError(
      `The daemon of ${dataDir} is not running (it was process ${endpoint.pid} at ${endpoint.url})`,
      howToStart(dataDir),
    )
  }
  return { dataDir, endpoint, key: await readOperatorKey(dataDir) }
}

const howToStart = (dataDir: string): string =>
  basename(dataDir) === '.cacp'
    ? 'Run `cacpd up -d` in the repository'
    : `Run \`cacpd up -d --data ${dataDir}\` in the repository`
