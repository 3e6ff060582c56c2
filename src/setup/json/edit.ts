import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { endOfLine, insertion, type JsonPath, removal, type Splice } from '../edit.ts'

/**
 * Edits a JSON document byte by byte. Not by `modify` of jsonc-parser (3.3.1): it takes out the comments beside an entry
 * together with the entry, puts a new entry before the comment on its neighbour, and its formatting rewrites bytes that
 * are not ours.
 */
export interface JsonDocument {
  readonly text: string
  readonly root: Node
}

/** JSON with comments and trailing commas, as editors allow it. */
function parsed(text: string): { root: Node | undefined; errors: readonly ParseError[] } | undefined {
  const errors: ParseError[] = []
  // A byte order mark is not part of the document, but counts in the offsets.
  const plain = text.replace(/^\uFEFF/, ' ')
  try {
    return { root: parseTree(plain, errors, { allowTrailingComma: true }), errors }
  } catch {
    return undefined // nested too deep
  }
}

/** Undefined when the text cannot be read as JSON. */
export function parseJson(text: string): Node | undefined {
  const { root, errors = [] } = parsed(text) ?? {}
  return errors.length === 0 ? root : undefined
}

/** The line of the first mistake, from 1. Undefined where the parser itself gave up. */
export function brokenLine(text: string): number | undefined {
  const [first] = parsed(text)?.errors ?? []
  return first === undefined ? undefined : text.slice(0, first.offset).split('\n').length
}

export const nodeAt = (root: Node, path: JsonPath): Node | undefined => findNodeAtLocation(root, [...path])

const endOf = ({ offset, length }: Node): number => offset + length

/** Puts one more entry into an object under its key, or at the end of a list, and leaves every other byte as it is. */
export function putInto(
  document: JsonDocument,
  container: Node,
  { key, value }: { readonly key?: string | undefined; readonly value: unknown },
): Splice[] {
  const { text } = document
  const children = container.children ?? []
  const [first, last] = [children[0], children.at(-1)]
  const style = styleOf(document, container)
  const entry = (indent: string) =>
    (key === undefined ? '' : `${JSON.stringify(key)}: `) + jsonText(value, style, indent)
  if (first === undefined || last === undefined) return [putIntoEmpty(text, container, { style, entry })]

  const { comma, lineEnd } = lookBehind(text, endOf(last), endOf(container) - 1)
  if (style.isOneLine)
    return [
      comma === undefined ? insertion(endOf(last), `, ${entry('')}`) : insertion(comma + 1, ` ${entry('')},`),
    ]
  const indent = indentAt(text, first.offset)
  const line = style.eol + indent + entry(indent)
  if (comma !== undefined) return [insertion(lineEnd, `${line},`)]
  // A comment after the last entry stays after it.
  return lineEnd === endOf(last)
    ? [insertion(lineEnd, `,${line}`)]
    : [insertion(lineEnd, line), insertion(endOf(last), ',')]
}

function putIntoEmpty(
  text: string,
  container: Node,
  { style, entry }: { style: JsonStyle; entry: (indent: string) => string },
): Splice {
  const close = endOf(container) - 1
  if (style.isOneLine) return insertion(close, entry(''))
  const around = indentAt(text, container.offset)
  const indent = around + style.unit
  const inner = text.slice(container.offset + 1, close)
  const tail = inner.slice(inner.trimEnd().length)
  const lastLine = /\r?\n[^\n]*$/.exec(tail)?.[0]
  return lastLine === undefined
    ? insertion(close, `${style.eol}${indent}${entry(indent)}${style.eol}${around}`)
    : insertion(close - lastLine.length, `${style.eol}${indent}${entry(indent)}`)
}

/** Removes an entry with the comma that separates it from its neighbour. */
export function takeOut(text: string, container: Node, child: Node): Splice[] {
  const children = container.children ?? []
  const index = children.indexOf(child)
  const [previous, next] = [children[index - 1], children[index + 1]]
  const behind = lookBehind(text, endOf(child), next?.offset ?? endOf(container) - 1).comma
  const before = previous && lookBehind(text, endOf(previous), child.offset).comma
  const isAlone = (from: number, to: number) => text.slice(from, to).trim() === ''

  let end = endOf(child)
  const splices: Splice[] = []
  if (behind !== undefined && isAlone(end, behind)) end = behind + 1
  else if (behind !== undefined) splices.push(removal(text, behind, behind + 1))
  let start = child.offset
  const lead = leadOf(text, start)
  // A line that had nothing else on it is removed as a whole.
  const isOwnLine = lead.includes('\n') && /^[^\S\r\n]*\r?\n/.test(text.slice(end))
  if (isOwnLine) start -= lead.length
  else if (behind !== undefined && previous === undefined)
    end += /^[^\S\r\n]*/.exec(text.slice(end))?.[0].length ?? 0
  else if (!lead.includes('\n')) start -= lead.length
  if (behind === undefined && before !== undefined) {
    if (isAlone(before + 1, start)) start = before
    else return [removal(text, start, end), removal(text, before, before + 1)]
  }
  return [...splices, removal(text, start, end)]
}

/** The blanks before a position, with the line end before them. */
function leadOf(text: string, at: number): string {
  let from = at
  while (/^[^\S\r\n]/.test(text.charAt(from - 1))) from -= 1
  if (text.charAt(from - 1) === '\n') from -= text.charAt(from - 2) === '\r' ? 2 : 1
  return text.slice(from, at)
}

export function replaceValue(document: JsonDocument, node: Node, value: unknown): Splice {
  const { text } = document
  const inserted = jsonText(value, styleOf(document, node), indentAt(text, node.offset))
  return { at: node.offset, removed: text.slice(node.offset, endOf(node)), inserted }
}

const BETWEEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,|[\r\n]+|[^\S\r\n]+/g

/** Looks behind an entry for its comma, and for the end of its line as far as only comments follow. */
function lookBehind(text: string, from: number, to: number): { comma: number | undefined; lineEnd: number } {
  let comma: number | undefined
  let lineEnd = from
  let isSameLine = true
  for (const { 0: token, index } of text.slice(from, to).matchAll(BETWEEN)) {
    const end = from + index + token.length
    if (token === ',') {
      comma = end - 1
      isSameLine = true
    } else if (/^[\r\n]/.test(token)) isSameLine = false
    if (isSameLine && /^[,/]/.test(token)) lineEnd = end
  }
  return { comma, lineEnd }
}

function styleOf({ text, root }: JsonDocument, container: Node): JsonStyle {
  const first = container.children?.[0]
  const isSpread = (from: number, to: number) => text.slice(from, to).includes('\n')
  const isOneLine =
    first === undefined
      ? container !== root && !isSpread(root.offset, endOf(root))
      : !isSpread(container.offset, first.offset)
  const outermost = root.children?.[0]
  const unit = outermost === undefined ? '' : indentAt(text, outermost.offset)
  return { eol: endOfLine(text), unit: unit === '' ? '  ' : unit, isOneLine }
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** The formatting of the document around an entry. */
interface JsonStyle {
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  readonly isOneLine: boolean
}

/** A value as people write it: lists of simple values on one line, objects with a line for each key. */
export function jsonText(value: unknown, style: JsonStyle, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent + style.unit
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, style, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, style, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (style.isOneLine || (Array.isArray(value) && value.every((item) => typeof item !== 'object')))
    return Array.isArray(value)
      ? `${open}${parts.join(', ')}${close}`
      : `${open} ${parts.join(', ')} ${close}`
  const lines = parts.map((part) => style.eol + inner + part)
  return `${open}${lines.join(',')}${style.eol}${indent}${close}`
}
