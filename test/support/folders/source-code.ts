import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SRC = new URL('../../../src/', import.meta.url).pathname

/** All of the daemon's source files, as paths from `src`. */
export const sourceFiles = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
)

export const sourceOf = (file: string): string => readFileSync(join(SRC, file), 'utf8')

/** A comment, a string, a regular expression, or code between those. `/>` ends an element. */
const CODE =
  /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{};>]\s*)\/(?!>)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[^/'"`{}]+|[\s\S]/my
const TEMPLATE = /\$\{|`|(?:\\.|[^`\\$]|\$(?!\{))+/sy

/** Without comments, strings and the words of templates, but with what templates compute. */
export function codeOf(text: string): string {
  const around: string[] = []
  let code = ''
  for (let at = 0; at < text.length; ) {
    const syntax = around.at(-1) === '`' ? TEMPLATE : CODE
    syntax.lastIndex = at
    const [token = ''] = syntax.exec(text) ?? []
    at += token.length
    const isEnd = syntax === TEMPLATE ? token === '`' : token === '}'
    const isBegin = syntax === TEMPLATE ? token === '${' : token === '`' || token === '{'
    const opened = isEnd ? around.pop() : undefined
    if (isBegin) around.push(token)
    if (opened === '${') code += ' '
    else if (syntax === CODE && !/^(?:\/.|'.|".)/.test(token)) code += token
  }
  return code
}
