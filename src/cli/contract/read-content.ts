import { extname } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { parseYaml, textBehind } from '../derive/read-json.ts'
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
  // A path needs no mark before it.
  const value = given === '-' || /^[@{]/.test(given) ? given : `@${given}`
  const { text, name } = await textBehind(value, option, terminal)
  const content = await parsedContent(text, value, `${option}: ${name}`)
  if (isJsonObject(content)) return content
  const problem = text.trim() === '' ? 'is empty' : 'is no object of named values'
  throw new UsageError(`${option}: ${name} ${problem}`)
}

/** What text in a file means, by the ending of the file. `what` names it in errors. */
export async function parsedContent(text: string, path: string, what: string): Promise<Json> {
  const key = TEXT_KEYS[extname(path)]
  if (key !== undefined) return { [key]: text }
  try {
    return JSON.parse(text) as Json
  } catch {
    return parseYaml(text, what)
  }
}
