import { type Node, parseTree } from 'jsonc-parser'
import { LIMITS } from '../limits.ts'
import { isShallow } from './json.ts'

/**
 * JSON that keeps numbers as they were written. `JSON.parse` turns `1.0` into `1` and `1e-07` into `1e-7`, so that
 * nobody could verify a signature over the text any more.
 */
export type LiteralJson =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, LiteralJson> }
  | { readonly kind: 'list'; readonly items: readonly LiteralJson[] }
  | { readonly kind: 'text'; readonly value: string }
  /** A number, true, false or null. */
  | { readonly kind: 'literal'; readonly text: string }

/** Throws a SyntaxError for text that is no JSON, or is nested too deep. Of two equal keys the last one counts. */
export function parseLiteral(text: string): LiteralJson {
  // The tree below would also be made of what is no JSON, and no tree can be made of what is very deep.
  if (!isShallow(JSON.parse(text), LIMITS.depth)) throw new SyntaxError('Nested too deep')
  return literalAt(parseTree(text), text)
}

function literalAt(node: Node | undefined, text: string): LiteralJson {
  if (node === undefined) throw new SyntaxError('Expected a value')
  const { type, children = [], offset, length } = node
  if (type === 'object') {
    const members = children.map(
      ({ children: [key, member] = [] }) => [textIn(key), literalAt(member, text)] as const,
    )
    return { kind: 'object', members: new Map(members) }
  }
  if (type === 'array') return { kind: 'list', items: children.map((item) => literalAt(item, text)) }
  if (type === 'string') return { kind: 'text', value: textIn(node) }
  return { kind: 'literal', text: text.slice(offset, offset + length) }
}

function textIn(node: Node | undefined): string {
  const value = String(node?.value)
  if (!value.isWellFormed()) throw new SyntaxError('Text with half of a surrogate pair')
  return value
}

export function memberOf(node: LiteralJson, key: string): LiteralJson | undefined {
  return node.kind === 'object' ? node.members.get(key) : undefined
}

export function withoutMember(node: LiteralJson, key: string): LiteralJson {
  if (node.kind !== 'object') return node
  return { kind: 'object', members: new Map([...node.members].filter(([name]) => name !== key)) }
}

/**
 * The text that Python's `json.dumps(value, sort_keys=True, separators=(',', ':'))` gives: keys in order of
 * their code points, no spaces, everything outside of printable ASCII escaped.
 */
export function pythonText(node: LiteralJson): string {
  switch (node.kind) {
    case 'object': {
      const members = [...node.members].sort(([a], [b]) => compareCodePoints(a, b))
      return `{${members.map(([key, member]) => `${asciiText(key)}:${pythonText(member)}`).join(',')}}`
    }
    case 'list':
      return `[${node.items.map(pythonText).join(',')}]`
    case 'text':
      return asciiText(node.value)
    case 'literal':
      return node.text
  }
}

const asciiText = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** JavaScript compares halves of surrogate pairs, Python whole characters: those in pairs come after all others. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return rankOf(left) - rankOf(right)
  }
  return a.length - b.length
}

const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
