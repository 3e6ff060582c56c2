import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { parseYaml } from './parse-yaml.ts'

/** How values that are not plain text are written on a command line. */
export const JSON_FORMS = 'JSON, @file or - for stdin'

const WRITTEN = `Write it as JSON, with quotes around names and texts, as in '{"name":"text"}'; or @file, or - for stdin`

const YAML_FILE = /^@.*\.ya?ml$/

/** A value given as JSON, in place or by `@file` or `-`; a file may be YAML. `what` names it in errors. */
export async function readJson(value: string, what: string, terminal: Terminal): Promise<unknown> {
  const text = await textBehind(value, what, terminal)
  try {
    return JSON.parse(text)
  } catch {
    if (YAML_FILE.test(value)) return parseYaml(text, `${what}: ${sourceOf(value)}`)
    throw new UsageError(`${what}: ${sourceOf(value)} is not JSON`, WRITTEN)
  }
}

/** The same where text is as good: what is not a JSON object is taken as it stands. */
export async function readJsonOrText(value: string, what: string, terminal: Terminal): Promise<unknown> {
  const text = await textBehind(value, what, terminal)
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : text
  } catch {
    return text
  }
}

async function textBehind(value: string, what: string, terminal: Terminal): Promise<string> {
  if (value === '-') return terminal.readInput()
  if (!value.startsWith('@')) return value
  try {
    return await readFile(resolve(terminal.cwd, value.slice(1)), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${what}: the file ${value.slice(1)} cannot be read (${code})`)
  }
}

function sourceOf(value: string): string {
  if (value === '-') return 'what came from stdin'
  return value.startsWith('@') ? `the file ${value.slice(1)}` : 'the value'
}
