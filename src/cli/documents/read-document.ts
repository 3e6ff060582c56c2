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

/**
 * A document with all that it refers to in other files of its folder, which come along under `x-files`. Nothing outside
 * of the folder is read, whatever a document says, and nothing is fetched.
 */
export async function readDocument(given: string, terminal: Terminal) {
  /** Absolute, without links. */
  const path = await realpath(resolve(terminal.cwd, given)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${given} cannot be read (${error.code})`)
  })
  const folder = dirname(path)
  const found = new Map<string, Json>()
  const waiting: string[] = []
  let bytes = 0

  const main = await read(path)
  if (!isJsonObject(main)) throw new UsageError(`${given} is no object of named values`)
  const own = (await walk(main, path)) as JsonObject
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    found.set(keyOf(next), await walk(await read(next), next))
  const document: JsonObject = found.size === 0 ? own : { ...own, [FILES]: Object.fromEntries(found) }
  return { document, path, name: basename(path, extname(path)) }

  /** A copy in which every reference to a file leads to where that file comes along. */
  async function walk(value: Json, at: string, depth = 0): Promise<Json> {
    if (depth > DEEPEST) throw new UsageError(`${given} is nested deeper than ${DEEPEST} levels`)
    if (Array.isArray(value)) {
      const made: Json[] = []
      for (const inner of value as readonly Json[])
        made.push(isPlain(inner) ? inner : await walk(inner, at, depth + 1))
      return made
    }
    if (!isJsonObject(value)) return value
    const made: [string, Json][] = []
    for (const [key, inner = null] of Object.entries(value))
      if (key === '$ref' && typeof inner === 'string') made.push([key, await refTo(inner, at)])
      else made.push([key, isPlain(inner) ? inner : await walk(inner, at, depth + 1)])
    return Object.fromEntries(made)
  }

  async function refTo(ref: string, from: string): Promise<string> {
    const [file = '', pointer = ''] = ref.split('#', 2)
    const target = file === '' ? from : await pathOf(file, ref, from)
    if (target === path) return `#${pointer}`
    return `#/${FILES}/${pointerPiece(keyOf(target))}${pointer}`
  }

  async function pathOf(file: string, ref: string, from: string): Promise<string> {
    if (/^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('//'))
      throw refused(ref, 'is somewhere else, and nothing is fetched: save it beside the document')
    const target = await realpath(resolve(dirname(from), decodeURI(file))).catch(
      (error: NodeJS.ErrnoException) => {
        throw refused(ref, `cannot be read (${error.code})`)
      },
    )
    if (!target.startsWith(folder + sep))
      throw refused(ref, 'is outside of the folder of the document, and is not read')
    if (target !== path && !found.has(keyOf(target))) {
      if (found.size >= MOST_FILES) throw refused(ref, `is one of more than ${MOST_FILES} files`)
      found.set(keyOf(target), null)
      waiting.push(target)
    }
    return target
  }

  function keyOf(target: string): string {
    return relative(folder, target).split(sep).join('/')
  }

  function refused(ref: string, why: string): UsageError {
    return new UsageError(`${given}: $ref «${ref}» ${why}`)
  }

  async function read(target: string): Promise<Json> {
    const name = relative(folder, target) || basename(target)
    const text = await textAt(target, MOST_BYTES - bytes).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`the file ${name} cannot be read (${error.code})`)
    })
    if (text === undefined) throw new UsageError(`the file ${name} is too large: 32 MiB are read at most`)
    bytes += Buffer.byteLength(text)
    const isYaml = !/^\s*[{[]/.test(text)
    if (isYaml && text.length > MOST_YAML_BYTES)
      throw new UsageError(`the file ${name} is YAML of more than 8 MiB`, 'Convert it to JSON, or divide it')
    return parsedContent(text, target, `the file ${name}`)
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
