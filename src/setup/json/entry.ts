import { getNodeValue, type Node } from 'jsonc-parser'
import { applySplices, type Change, type Edit, type JsonPath, NOTHING, type Splice } from '../edit.ts'
import { type JsonDocument, nodeAt, parseJson, putInto, replaceValue, takeOut } from './edit.ts'

/** An entry of ours in a JSON document: a value under a key, or an item of a list. */
export interface JsonEntry {
  /** The path of the value, or of the list. */
  readonly path: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly isItem: boolean
  /** Finds our entry in the value at `path`, whichever command it runs; undefined when there is none. */
  find(existing: unknown): { readonly at: JsonPath; readonly whole: JsonPath } | undefined
  /** The members that must have these values in the entry that was found. */
  readonly telling: Readonly<Record<string, unknown>>
}

/** An edit of a document, by what the document holds. */
export type Step = (document: JsonDocument) => Edit

export const putEntry =
  ({ path, value, isItem, find, telling }: JsonEntry): Step =>
  (document) => {
    const { root } = document
    const twice = path.findIndex((key, index) => isTwice(nodeAt(root, path.slice(0, index)), key))
    if (twice >= 0) return { refused: `has the key ${JSON.stringify(path[twice])} twice` }
    const existing = nodeAt(root, path)
    if (existing === undefined) return putMissing(document, path, isItem ? [value] : value)
    const found = find(getNodeValue(existing))
    if (found !== undefined) return correct(document, [...path, ...found.at], telling)
    if (!isItem) return { refused: `has another ${path.map((key) => JSON.stringify(key)).join(' → ')}` }
    if (existing.type !== 'array') return { refused: `has ${JSON.stringify(path.at(-1))}, but not as a list` }
    return { splices: putInto(document, existing, { value }), made: [] }
  }

/** Puts the value into the innermost object that is there, with the objects that are missing around it. */
function putMissing(document: JsonDocument, path: readonly string[], value: unknown): Edit {
  const { root } = document
  let depth = path.length - 1
  while (depth > 0 && nodeAt(root, path.slice(0, depth)) === undefined) depth -= 1
  const container = nodeAt(root, path.slice(0, depth))
  if (container?.type !== 'object')
    return { refused: `has ${JSON.stringify(path[depth - 1])}, but not as an object` }
  const [key, ...rest] = path.slice(depth)
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  // A new list is ours, like the objects around it.
  const made = path
    .map((_, index) => path.slice(0, index + 1))
    .slice(depth, Array.isArray(value) ? undefined : -1)
  return { splices: putInto(document, container, { key, value: nested }), made }
}

/** Corrects the members that say which command is run; members that somebody added stay. */
function correct(document: JsonDocument, path: JsonPath, telling: JsonEntry['telling']): Change {
  const { text, root } = document
  const wrong = Object.entries(telling).flatMap(([key, value]) => {
    const node = nodeAt(root, [...path, key])
    const isRight = node !== undefined && JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
    return isRight ? [] : [{ key, value, node }]
  })
  const [first] = wrong
  const owner = nodeAt(root, path)
  if (first === undefined || owner === undefined) return NOTHING
  const splices = first.node
    ? [replaceValue(document, first.node, first.value)]
    : putInto(document, owner, first)
  const now = applySplices(text, splices)
  const next = parseJson(now)
  if (next === undefined) return { splices, made: [] }
  return { splices: [...splices, ...correct({ text: now, root: next }, path, telling).splices], made: [] }
}

export const stripEntry =
  ({ path, find }: JsonEntry): Step =>
  (document) => {
    const existing = nodeAt(document.root, path)
    const found = existing && find(getNodeValue(existing))
    return found === undefined
      ? NOTHING
      : { splices: takeOutAt(document, [...path, ...found.whole]), made: [] }
  }

export function takeOutAt({ text, root }: JsonDocument, path: JsonPath): Splice[] {
  const node = nodeAt(root, path)
  const child = node?.parent?.type === 'property' ? node.parent : node
  return child?.parent === undefined ? [] : takeOut(text, child.parent, child)
}

const isTwice = (node: Node | undefined, key: string): boolean =>
  (node?.children ?? []).filter(({ children }) => children?.[0]?.value === key).length > 1
