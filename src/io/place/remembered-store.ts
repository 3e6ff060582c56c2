import { rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { layout } from '../store/directory/layout.ts'
import { DataDirError } from './data-dir.ts'
import { gitFolderOf } from './discover-repo.ts'

/**
 * Which store the daemon of a repository has. Kept in git's own folder, which is neither committed nor cloned and which
 * every worktree has for itself: so it goes with the repository, and stays when the data directory is taken away.
 */
const FILE = 'cacpd.json'

/** In the root of a repository: what is found there without being named. */
const OWN_PLACE = '.cacp'
const OWN_PLACES = [OWN_PLACE, 'data']

interface Remembered {
  /** Absolute. */
  readonly dataDir: string
  readonly storeId: string
  readonly agentId: string
}

/** The daemon that is started: of which repository, and with which data. */
export interface Starting {
  readonly root: string
  readonly dataDir: string
  /** Undefined where that is not known yet. */
  readonly agentId?: string | undefined
}

/**
 * Throws DataDirError where a daemon would begin with nothing, or with somebody else's, in the place of the one that
 * this repository had: under the same name, and a stranger to all of its peers.
 */
export async function assertStoreNotLost({ root, dataDir, agentId }: Starting): Promise<void> {
  const before = await readRemembered(root)
  if (before === undefined) return
  const here = await storeIn(dataDir)
  // What is wrong with one that cannot be read is for whoever opens it to say.
  if (here === before.storeId || here === null) return
  const whose = `the daemon of this repository (${before.agentId})`
  const isItsPlace = dataDir === before.dataDir
  if (here !== undefined) {
    // Another place that somebody named has a daemon of its own.
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

/** Where the store of a repository is now that has none in this place; undefined where that is not known. */
export async function movedStore({ root, dataDir }: Starting): Promise<string | undefined> {
  const before = await readRemembered(root)
  if (before === undefined || (await storeIn(dataDir)) !== undefined) return undefined
  return (await storeIn(before.dataDir)) === before.storeId ? before.dataDir : undefined
}

const BRING_BACK = 'put it back, or name its new place with --data DIR'

/**
 * Notes where the store of a repository is now. One that somebody keeps elsewhere beside it changes nothing; with
 * `isNew` the one before is forgotten.
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
    // Of a store that was copied, the first one stays the one of this repository.
    const isCopy = dataDir !== before.dataDir && (await storeIn(before.dataDir)) === storeId
    if (isCopy || (dataDir === before.dataDir && agentId === before.agentId)) return
  } else if (!isOwn) {
    if (isNew) await rm(path, { force: true })
    return
  } else if (before !== undefined && !isNew) return
  const kept = { dataDir: fromRoot(root, dataDir), storeId, agentId }
  await replacePrivateFile(path, `${JSON.stringify(kept, null, 2)}\n`)
}

/** What lies in the repository is found again when the whole of it was moved. */
function fromRoot(root: string, dataDir: string): string {
  const path = relative(root, dataDir)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? dataDir : path
}

/** Undefined where nothing is remembered, or nothing that can be read. */
async function readRemembered(root: string): Promise<Remembered | undefined> {
  const folder = await privateFolder(root)
  const text = folder && (await readSmallFile(join(folder, FILE)).catch(() => undefined))
  const { dataDir, storeId, agentId } = fieldsIn(text)
  if (typeof dataDir !== 'string' || typeof storeId !== 'string' || typeof agentId !== 'string')
    return undefined
  return { dataDir: resolve(root, dataDir), storeId, agentId }
}

/** Only a folder that is git's: a file that came with the repository may say any other one. */
async function privateFolder(root: string): Promise<string | undefined> {
  const folder = await gitFolderOf(root)
  const head = await stat(join(folder, 'HEAD')).catch(() => undefined)
  return head?.isFile() === true ? folder : undefined
}

/** Undefined where there is none, null where there is one that cannot be read. */
async function storeIn(dataDir: string): Promise<string | null | undefined> {
  const text = await readSmallFile(layout(dataDir).ident).catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ENOENT' || code === 'ENOTDIR' ? undefined : '',
  )
  if (text === undefined) return undefined
  const { store_id: id } = fieldsIn(text)
  return typeof id === 'string' ? id : null
}

/** None where it is no JSON object. */
const fieldsIn = (text: string | undefined): Record<string, unknown> => Object(jsonIn(text ?? ''))
