import { open, realpath } from 'node:fs/promises'
import { basename, dirname, extname, relative, resolve, sep } from 'node:path'
import { FILES } from '../../domain/documents/item.ts'
import { pointerPiece } from '../../domain/documents/referred.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { parsedContent } from '../contract/read-content.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** Of one file, and of all files together. */
const MOST_BYTES = 32 * 1024 * 1024
/** YAML takes many times its size while it is read. */
const MOST_YAML_BYTES = 8 * 1024 * 1024
const MOST_FILES = 500
const DEEPEST = 120

export interface ReadDocument {
  readonly document: JsonObject
  /** Absolute, without links. */
  readonly path: string
  /** The name of the file without its ending. */
  readonly name: string
}

/**
 * A document with all that it refers to in other files of its folder, which come along under `x-files`. Nothing outside
 * of the folder is read, whatever a document says, and nothing is fetched.
 */
export async function readDocument(given: string, terminal: Terminal): Promise<ReadDocument> {
  const path = await realpath(resolve(terminal.cwd, given)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${given} cannot be read (${error.code})`)
  })
  const files = new Files(dirname(path), given)
  const main = await files.read(path)
  if (!isJsonObject(main)) throw new UsageError(`${given} is no object of named values`)
  const document = await files.bundled(main, path)
  return { document, path, name: basename(path, extname(path)) }
}

class Files {
  readonly #folder: string
  readonly #given: string
  #main = ''
  readonly #found = new Map<string, Json>()
  readonly #waiting: string[] = []
  #bytes = 0

  constructor(folder: string, given: string) {
    this.#folder = folder
    this.#given = given
  }

  async bundled(main: JsonObject, path: string): Promise<JsonObject> {
    this.#main = path
    const own = (await this.#walk(main, path)) as JsonObject
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const key = this.#keyOf(next)
      this.#found.set(key, await this.#walk(await this.read(next), next))
    }
    return this.#found.size === 0 ? own : { ...own, [FILES]: Object.fromEntries(this.#found) }
  }

  /** A copy in which every reference to a file leads to where that file comes along. */
  async #walk(value: Json, path: string, depth = 0): Promise<Json> {
    if (depth > DEEPEST) throw new UsageError(`${this.#given} is nested deeper than ${DEEPEST} levels`)
    if (Array.isArray(value)) {
      const made: Json[] = []
      for (const inner of value as readonly Json[])
        made.push(isPlain(inner) ? inner : await this.#walk(inner, path, depth + 1))
      return made
    }
    if (!isJsonObject(value)) return value
    const made: [string, Json][] = []
    for (const [key, inner = null] of Object.entries(value))
      if (key === '$ref' && typeof inner === 'string') made.push([key, await this.#ref(inner, path)])
      else made.push([key, isPlain(inner) ? inner : await this.#walk(inner, path, depth + 1)])
    return Object.fromEntries(made)
  }

  async #ref(ref: string, from: string): Promise<string> {
    const [file = '', pointer = ''] = ref.split('#', 2)
    const target = file === '' ? from : await this.#pathOf(file, ref, from)
    if (target === this.#main) return `#${pointer}`
    return `#/${FILES}/${pointerPiece(this.#keyOf(target))}${pointer}`
  }

  async #pathOf(file: string, ref: string, from: string): Promise<string> {
    if (/^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('//'))
      throw this.#refused(ref, 'is somewhere else, and nothing is fetched: save it beside the document')
    const path = await realpath(resolve(dirname(from), decodeURI(file))).catch(
      (error: NodeJS.ErrnoException) => {
        throw this.#refused(ref, `cannot be read (${error.code})`)
      },
    )
    if (!path.startsWith(this.#folder + sep))
      throw this.#refused(ref, 'is outside of the folder of the document, and is not read')
    const key = this.#keyOf(path)
    if (path !== this.#main && !this.#found.has(key)) {
      if (this.#found.size >= MOST_FILES) throw this.#refused(ref, `is one of more than ${MOST_FILES} files`)
      this.#found.set(key, null)
      this.#waiting.push(path)
    }
    return path
  }

  #keyOf(path: string): string {
    return relative(this.#folder, path).split(sep).join('/')
  }

  #refused(ref: string, why: string): UsageError {
    return new UsageError(`${this.#given}: $ref «${ref}» ${why}`)
  }

  async read(path: string): Promise<Json> {
    const name = relative(this.#folder, path) || basename(path)
    const text = await textAt(path, MOST_BYTES - this.#bytes).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`the file ${name} cannot be read (${error.code})`)
    })
    if (text === undefined) throw new UsageError(`the file ${name} is too large: 32 MiB are read at most`)
    this.#bytes += Buffer.byteLength(text)
    const isYaml = !/^\s*[{[]/.test(text)
    if (isYaml && text.length > MOST_YAML_BYTES)
      throw new UsageError(`the file ${name} is YAML of more than 8 MiB`, 'Convert it to JSON, or divide it')
    return parsedContent(text, path, `the file ${name}`)
  }
}

const isPlain = (value: Json | undefined): boolean => typeof value !== 'object' || value === null

/** Undefined where there is more of it. */
async function textAt(path: string, most: number): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return size > most ? undefined : await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
