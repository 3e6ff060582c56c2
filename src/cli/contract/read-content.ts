import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { parseYaml } from '../derive/parse-yaml.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** How the content of a contract is given on a command line. */
export const CONTENT_FORMS = 'JSON, YAML, .graphql, .proto or .ts; - for stdin'

/** By the ending of a file that is no JSON or YAML: the key of content under which such text stands. */
const TEXT_KEYS: Readonly<Record<string, string>> = {
  '.graphql': 'graphql',
  '.gql': 'graphql',
  '.proto': 'proto',
  '.ts': 'typescript',
}

/** Content from a file or stdin, or as JSON in place. `option` names it in errors. */
export async function readContent(given: string, option: string, terminal: Terminal): Promise<JsonObject> {
  const path = given.replace(/^@/, '')
  const text = await textOf(given, option, terminal)
  const content = await parsedContent(text, path, `${option}: ${nameOf(given)}`)
  if (isJsonObject(content)) return content
  const problem = text.trim() === '' ? 'is empty' : 'is no object of named values'
  throw new UsageError(`${option}: ${nameOf(given)} ${problem}`)
}

/** What text in a file means, by the ending of the file. `what` names it in errors. */
export async function parsedContent(text: string, path: string, what: string): Promise<Json> {
  const key = TEXT_KEYS[extname(path)]
  return key === undefined ? parsed(text, what) : { [key]: text }
}

async function textOf(given: string, option: string, terminal: Terminal): Promise<string> {
  if (given === '-') return terminal.readInput()
  if (given.startsWith('{')) return given
  try {
    return await readFile(resolve(terminal.cwd, given.replace(/^@/, '')), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${option}: ${nameOf(given)} cannot be read (${code})`)
  }
}

async function parsed(text: string, what: string): Promise<Json> {
  try {
    return JSON.parse(text) as Json
  } catch {
    return parseYaml(text, what)
  }
}

function nameOf(given: string): string {
  if (given === '-') return 'what came from stdin'
  return given.startsWith('{') ? 'the value' : `the file ${given.replace(/^@/, '')}`
}
