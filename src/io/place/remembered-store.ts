import { rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { layout } from '../store/directory/layout.ts'
import { DataDirError } from './data-dir.ts'
import { gitFolderOf } from './discover-repo.ts'

/**
 * Remembers which store belongs to a repository. The file is in git's own folder, which is neither committed nor
 * cloned, and of which every worktree has its own: so it moves with the repository, and stays when the data directory
 * is removed.
 */
const FILE = 'cacpd.json'

/** Data directories in the root of a repository that are found without being named. */
const OWN_PLACE = '.cacp'
const OWN_PLACES = [OWN_PLACE, 'data']

interface Remembered {
  /** Absolute. */
  readonly dataDir: string
  readonly storeId: string
  readonly agentId: string
}

/** The repository and the data directory of a daemon that is started. */
export interface Starting {
  readonly root: string
  readonly dataDir: string
  /** Undefined where it is not known yet. */
  readonly agentId?: string | undefined
}

/**
 * Throws DataDirError where a daemon would start with an empty or another store in place of the one that this
 * repository had: it would have the same name, but its peers would not recognize it.
 */
export async function assertStoreNotLost({ root, dataDir, agentId }: Starting): Promise<void> {
  const before = await readRemembered(root)
  if (before === undefined) return
  const here = await storeIn(dataDir)
  // A store that cannot be read is reported when it is opened.
  if (here === before.storeId || here === null) return
  const whose = `the daemon of this repository (${before.agentId})`
  const isItsPlace = dataDir === before.dataDir
  if (here !== undefined) {
    // A data directory that was named explicitly belongs to another daemon.
    if (!isItsPlace) return
    throw new DataDirError(
      `${dataDir} holds another store than the one that ${whose} had there`,
      `If that one was moved, ${BRING_BACK}; to go on with the one that is there now, start with --new-data`,
    )
  }
  const isOwnPlace = dataDir === resolve(root, OWN_PLACE)
  if ((await storeIn(before.dataDir)) === before.storeId) {
    if (!isOwnPlace) return
    throw new DataDirError(
      `The data of ${whose} is in ${before.dataDir}, and not in ${dataDir}`,
      `Name it with --data ${before.dataDir} or CACP_DATA; to begin with nothing in ${dataDir}, start with --new-data`,
    )
  }
  if (!isItsPlace && !isOwnPlace && agentId !== before.agentId) return
  const nor = isItsPlace ? '' : `, and ${dataDir} holds none`
  throw new DataDirError(
    `The data of ${whose} was in ${before.dataDir} and is not there any more${nor}: it was moved or removed`,
    `If it was moved, ${BRING_BACK}; if it is gone for good, start with --new-data: that begins with nothing, and its peers have to be paired anew`,
  )
}

/**
 * Where the store of this repository is now, if it is not in this data directory; undefined where that is not known.
 */
export async function movedStore({ root, dataDir }: Starting): Promise<string | undefined> {
  const before = await readRemembered(root)
  if (before === undefined || (await storeIn(dataDir)) !== undefined) return undefined
  return (await storeIn(before.dataDir)) === before.storeId ? before.dataDir : undefined
}

const BRING_BACK = 'put it back, or name its new place with --data DIR'

/**
 * Remembers where the store of a repository is now. A further store elsewhere changes nothing; with `isNew` the
 * earlier one is forgotten.
 */
export async function rememberStore(
  { root, dataDir, agentId }: Starting & { readonly agentId: string },
  { isNew }: { isNew: boolean },
): Promise<void> {
  const folder = await privateFolder(root)
  const storeId = await storeIn(dataDir)
  if (folder === undefined || typeof storeId !== 'string') return
  const path = join(folder, FILE)
  const before = await readRemembered(root)
  const isOwn = OWN_PLACES.some((name) => dataDir === resolve(root, name))
  if (before?.storeId === storeId) {
    // When a store was copied, the first one stays that of the repository.
    const isCopy = dataDir !== before.dataDir && (await storeIn(before.dataDir)) === storeId
    if (isCopy || (dataDir === before.dataDir && agentId === before.agentId)) return
  } else if (!isOwn) {
    if (isNew) await rm(path, { force: true })
    return
  } else if (before !== undefined && !isNew) return
  const kept = { dataDir: fromRoot(root, dataDir), storeId, agentId }
  await replacePrivateFile(path, `${JSON.stringify(kept, null, 2)}\n`)
}

/** A path inside of the repository is stored relative to it, so that it is found when the repository is moved. */
function fromRoot(root: string, dataDir: string): string {
  const path = relative(root, dataDir)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? dataDir : path
}

/** Undefined where nothing is remembered, or the file cannot be read. */
async function readRemembered(root: string): Promise<Remembered | undefined> {
  const folder = await privateFolder(root)
  const text = folder && (await readSmallFile(join(folder, FILE)).catch(() => undefined))
  const { dataDir, storeId, agentId } = fieldsIn(text)
  if (typeof dataDir !== 'string' || typeof storeId !== 'string' || typeof agentId !== 'string')
    return undefined
  return { dataDir: resolve(root, dataDir), storeId, agentId }
}

/** Accepts only a real git folder, because a `.git` file that came with the repository could name any folder. */
async function privateFolder(root: string): Promise<string | undefined> {
  const folder = await gitFolderOf(root)
  const head = await stat(join(folder, 'HEAD')).catch(() => undefined)
  return head?.isFile() === true ? folder : undefined
}

/** The id of the store; undefined where there is none, null where it cannot be read. */
async function storeIn(dataDir: string): Promise<string | null | undefined> {
  const text = await readSmallFile(layout(dataDir).ident).catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ENOENT' || code === 'ENOTDIR' ? undefined : '',
  )
  if (text === undefined) return undefined
  const { store_id: id } = fieldsIn(text)
  return typeof id === 'string' ? id : null
}

/** An empty object where it is no JSON object. */
const fieldsIn = (text: string | undefined): Record<string, unknown> => Object(jsonIn(text ?? ''))
