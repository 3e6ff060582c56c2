import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import {
  createPrivateFile,
  isReadableByOthers,
  readSmallFile,
  replacePrivateFile,
} from '../identity/private-file.ts'
import { exists } from '../system/exists.ts'
import { withReservedSpace } from './reserved-space.ts'

/**
 * The small files of a data directory, apart from those of the store. The client library reads them too, so this file
 * imports nothing but Node's own modules and small files of ours.
 */
const KEY_FILE = 'operator.key'
const ENDPOINT_FILE = 'endpoint.json'

const NEW_KEY = 'Remove it and restart the daemon, which then makes a new one'
const KEY = /^cacp_op_[A-Za-z0-9_-]{43}$/

/** A file of the data directory that cannot be used. For the operator's terminal: it names paths. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError'
  readonly next: string

  constructor(message: string, next: string, cause?: unknown) {
    super(message, { cause })
    this.next = next
  }
}

/** The text of a small file of a data directory; undefined where there is none. `what` names it in errors. */
export async function readOwnFile(path: string, what = path): Promise<string | undefined> {
  return readSmallFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new DataDirError(
      `${what} cannot be read (${error.code})`,
      'Run this as the user who started the daemon',
      error,
    )
  })
}

/** The operator's key; made at the first start and never replaced, because agents have it in their settings. */
export async function ensureOperatorKey(directory: string): Promise<string> {
  const path = join(directory, KEY_FILE)
  if (!(await exists(path)))
    await createPrivateFile(path, `cacp_op_${randomBytes(32).toString('base64url')}\n`)
  return readOperatorKey(directory)
}

/** Rejects a key that other users can read: they know it, or it came with a cloned repository. */
export async function readOperatorKey(directory: string): Promise<string> {
  const path = join(directory, KEY_FILE)
  const key = await readOwnFile(path, `The operator key at ${path}`)
  if (key === undefined)
    throw new DataDirError(`There is no operator key at ${path}`, 'It is made by the first `cacpd up -d`')
  if (isReadableByOthers(await stat(path)))
    throw new DataDirError(`The operator key at ${path} can be read by other users`, NEW_KEY)
  if (!KEY.test(key.trim())) throw new DataDirError(`${path} does not hold an operator key`, NEW_KEY)
  return key.trim()
}

/** Where the daemon of this directory listens, or listened last. */
export interface Endpoint {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The start time of that process, which distinguishes it from a later one with the same pid. */
  readonly processStart: string
  readonly agentId: string
  readonly repo: string
  readonly startedAt: string
  /** SHA-256 of the daemon's certificate in hex, if calls go over TLS. */
  readonly certificate?: string
  /** The address for other machines, if it is another one. */
  readonly publicUrl?: string
  /** Where people see it; missing if it shows no page. */
  readonly uiUrl?: string
  /** Role and language if they were configured: guessed ones may change with the files. */
  readonly role?: string
  readonly language?: string
}

const TEXTS = ['url', 'processStart', 'agentId', 'repo', 'startedAt'] as const
const NUMBERS = ['port', 'pid'] as const
const OPTIONAL = ['certificate', 'publicUrl', 'uiUrl', 'role', 'language'] as const

/** Stays when the daemon stops, so that the next start takes the same port and the same identity. */
export function rememberEndpoint(directory: string, endpoint: Endpoint): Promise<void> {
  const path = join(directory, ENDPOINT_FILE)
  const text = `${JSON.stringify(endpoint, null, 2)}\n`
  return withReservedSpace(directory, () => replacePrivateFile(path, text))
}

/** Undefined when no daemon was ever started here. */
export async function readEndpoint(directory: string): Promise<Endpoint | undefined> {
  const path = join(directory, ENDPOINT_FILE)
  const text = await readOwnFile(path)
  if (text === undefined) return undefined
  const endpoint = jsonIn(text)
  if (isEndpoint(endpoint)) return endpoint
  throw new DataDirError(
    `${path} does not say where a daemon listens`,
    'Remove it and restart the daemon, with --port to keep the port that its peers know',
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  const fields = Object(value) as Partial<Record<keyof Endpoint, unknown>>
  return (
    TEXTS.every((key) => typeof fields[key] === 'string') &&
    NUMBERS.every((key) => typeof fields[key] === 'number') &&
    OPTIONAL.every((key) => typeof (fields[key] ?? '') === 'string')
  )
}

/** The nearest data directory upwards: `.cacp`, or the `data` of a checkout, with a store in it. */
export async function findDataDir(cwd: string): Promise<string | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    for (const name of ['.cacp', 'data']) {
      const directory = join(folder, name)
      if (await exists(join(directory, 'IDENT'))) return directory
    }
    if (folder === dirname(folder)) return undefined
  }
}

/** The port of the first start is kept: other daemons and the settings of agents contain it. */
export async function portsToTry(given: { port: number | null; dataDir: string }): Promise<number[]> {
  if (given.port !== null) return [given.port]
  const remembered = (await readEndpoint(given.dataDir))?.port
  return remembered === undefined ? Array.from({ length: 100 }, (_, index) => 8080 + index) : [remembered]
}
