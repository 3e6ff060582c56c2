import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Json } from '../../protocol/json/json.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** How values that are not plain text are written on a command line. */
export const JSON_FORMS = 'JSON, @file or - for stdin'

const WRITTEN = `Write it as JSON, with quotes around names and texts, as in '{"name":"text"}'; or @file, or - for stdin`

const YAML_FILE = /^@.*\.ya?ml$/

/** A value given as JSON, in place or by `@file` or `-`; a file may be YAML. `what` names it in errors. */
export async function readJson(value: string, what: string, terminal: Terminal): Promise<unknown> {
  const { text, name } = await textBehind(value, what, terminal)
  try {
    return JSON.parse(text)
  } catch {
    if (YAML_FILE.test(value)) return parseYaml(text, `${what}: ${name}`)
    throw new UsageError(`${what}: ${name} is not JSON`, WRITTEN)
  }
}

/** The same where text is as good: what is not a JSON object is taken as it stands. */
export async function readJsonOrText(value: string, what: string, terminal: Terminal): Promise<unknown> {
  const { text } = await textBehind(value, what, terminal)
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : text
  } catch {
    return text
  }
}

/** The text that a value stands for, and what errors call it. A file stands behind `@`, and `-` for stdin. */
export async function textBehind(value: string, what: string, terminal: Terminal) {
  if (value === '-') return { text: await terminal.readInput(), name: 'what came from stdin' }
  if (!value.startsWith('@')) return { text: value, name: 'the value' }
  const name = `the file ${value.slice(1)}`
  try {
    return { text: await readFile(resolve(terminal.cwd, value.slice(1)), 'utf8'), name }
  } catch (error) {
    throw new UsageError(`${what}: ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** `what` names it in errors. What comes out is a tree: where an alias stands for what is around it, there is no JSON for it. */
export async function parseYaml(text: string, what: string): Promise<Json> {
  const { parse, YAMLParseError } = await import('yaml')
  try {
    return JSON.parse(JSON.stringify(parse(text, { merge: true, logLevel: 'error' }) ?? null)) as Json
  } catch (error) {
    if (error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS')
      throw new UsageError(`${what} has more than one YAML document: keep the one that is meant`)
    const [problem = ''] = (error as Error).message.split('\n')
    throw new UsageError(`${what} is neither JSON nor YAML: ${problem.replace(/:$/, '')}`)
  }
}
