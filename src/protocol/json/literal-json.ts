import { LIMITS } from '../limits.ts'

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

const TOKEN =
  /[\t\n\r ]*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|$)/y

/** Throws a SyntaxError for text that is no JSON, or is nested too deep. Of two equal keys the last one counts. */
export function parseLiteral(text: string): LiteralJson {
  const tokens = new RegExp(TOKEN)
  let mark: string | undefined
  let string: string | undefined
  let literal: string | undefined

  const advance = (): void => {
    const at = tokens.lastIndex
    const found = tokens.exec(text)
    if (found === null) throw new SyntaxError(`Unexpected character at ${at}`)
    mark = found[1]
    string = found[2]
    literal = found[3]
  }
  const expect = (wanted: string): void => {
    if (mark !== wanted) throw new SyntaxError(`Expected ${wanted}`)
    advance()
  }

  function value(depth: number): LiteralJson {
    if (depth === 0) throw new SyntaxError('Nested too deep')
    if (mark === '{') return object(depth - 1)
    if (mark === '[') return list(depth - 1)
    if (string !== undefined) return { kind: 'text', value: takeString() }
    if (literal === undefined) throw new SyntaxError('Expected a value')
    const taken = literal
    advance()
    return { kind: 'literal', text: taken }
  }

  function object(depth: number): LiteralJson {
    const members = new Map<string, LiteralJson>()
    advance()
    while (mark !== '}') {
      if (members.size > 0) expect(',')
      const key = takeString()
      expect(':')
      members.set(key, value(depth))
    }
    advance()
    return { kind: 'object', members }
  }

  function list(depth: number): LiteralJson {
    const items: LiteralJson[] = []
    advance()
    while (mark !== ']') {
      if (items.length > 0) expect(',')
      items.push(value(depth))
    }
    advance()
    return { kind: 'list', items }
  }

  function takeString(): string {
    if (string === undefined) throw new SyntaxError('Expected text')
    const taken: string = JSON.parse(string)
    if (!taken.isWellFormed()) throw new SyntaxError('Text with half of a surrogate pair')
    advance()
    return taken
  }

  advance()
  const whole = value(LIMITS.depth)
  if (mark !== undefined || string !== undefined || literal !== undefined)
    throw new SyntaxError('Something follows the value')
  return whole
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
    default:
      return node satisfies never
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
