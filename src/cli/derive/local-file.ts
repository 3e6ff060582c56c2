import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Client } from '../../client.ts'
import { mapValues } from '../../protocol/collections/map-values.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import type { Params } from './method-form.ts'
import { readJson } from './read-json.ts'

export const FILE_FORMS = 'a path or @path; or JSON, - for JSON from stdin'

/** What a person says about a file beside the path, in words of the file param. */
export interface FileFlags {
  readonly name?: string | undefined
  readonly contentType?: string | undefined
}

/** A file on disk that a call is going to name. */
class LocalFile {
  readonly path: string
  readonly about: FileFlags

  constructor(path: string, about: FileFlags) {
    this.path = path
    this.about = { name: basename(path), ...about }
  }
}

/** A file given by its path, or as the JSON that the method wants. `what` names it in errors. */
export async function readFileParam(value: string, what: string, terminal: Terminal): Promise<unknown> {
  if (value === '-' || value.startsWith('{')) return readJson(value, what, terminal)
  const path = resolve(terminal.cwd, value.replace(/^@/, ''))
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${what}: the file ${value} cannot be read (${error.code})`)
  })
  if (!found.isFile()) throw new UsageError(`${what}: ${value} is not a file`)
  if (found.size > LIMITS.fileBytes)
    throw new UsageError(`${what}: ${value} is larger than ${LIMITS.fileBytes / 1024 / 1024} MiB`)
  return new LocalFile(path, {})
}

/** The file of these params under the name and type that were given beside it. */
export function describeFile(params: Params, key: string, about: FileFlags): Params {
  const file = params[key]
  if (file instanceof LocalFile)
    return { ...params, [key]: new LocalFile(file.path, { ...file.about, ...about }) }
  return isJsonObject(file) ? { ...params, [key]: { ...file, ...about } } : params
}

/** The params as they will be sent, apart from the hashes of files, which the daemon has yet to answer. */
export const withoutUploads = (params: Params): Params => replaceFiles(params, () => '0'.repeat(64))

export async function uploadFiles(params: Params, client: Client): Promise<Params> {
  const hashes = new Map<LocalFile, string>()
  for (const value of Object.values(params))
    if (value instanceof LocalFile) hashes.set(value, (await client.upload(value.path)).sha256)
  return replaceFiles(params, (file) => hashes.get(file))
}

const replaceFiles = (params: Params, hashOf: (file: LocalFile) => string | undefined): Params =>
  mapValues(params, (value) =>
    value instanceof LocalFile ? { ...value.about, sha256: hashOf(value) } : value,
  )
