import { getNodeValue, type Node } from 'jsonc-parser'
import { type Change, type Edit, type JsonPath, NOTHING } from '../edit.ts'
import { nodeAt, parseJson, putInto, replaceValue, takeOut } from './edit.ts'
import { applySplices, type Splice } from './splice.ts'

/** Something of ours in a JSON document: a value under a key, or an item of a list. */
export interface JsonEntry {
  /** Of the value, or of the list. */
  readonly path: readonly string[]
  readonly value: Readonly<Record<string, unknown>>
  readonly isItem: boolean
  /** One of ours in what is at `path`, whatever command it has; undefined when there is none. */
  find(existing: unknown): { readonly at: JsonPath; readonly whole: JsonPath } | undefined
  /** What has to be the same in what was found. */
  readonly telling: Readonly<Record<string, unknown>>
}

/** Something to do to a document that was read. */
export type Step = (text: string, root: Node) => Edit

export const putEntry =
  ({ path, value, isItem, find, telling }: JsonEntry): Step =>
  (text, root) => {
    const twice = path.findIndex((key, index) => isTwice(nodeAt(root, path.slice(0, index)), key))
    if (twice >= 0) return { refused: `has the key ${JSON.stringify(path[twice])} twice` }
    const existing = nodeAt(root, path)
    if (existing === undefined) return putMissing(text, root, path, isItem ? [value] : value)
    const found = find(getNodeValue(existing))
    if (found !== undefined) return correct(text, root, [...path, ...found.at], telling)
    if (!isItem) return { refused: `has another ${path.map((key) => JSON.stringify(key)).join(' → ')}` }
    if (existing.type !== 'array') return { refused: `has ${JSON.stringify(path.at(-1))}, but not as a list` }
    return { splices: putInto(text, root, existing, undefined, value), made: [] }
  }

/** Into the innermost of what is there, with all that is missing around it. */
function putMissing(text: string, root: Node, path: readonly string[], value: unknown): Edit {
  let depth = path.length - 1
  while (depth > 0 && nodeAt(root, path.slice(0, depth)) === undefined) depth -= 1
  const container = nodeAt(root, path.slice(0, depth))
  if (container?.type !== 'object')
    return { refused: `has ${JSON.stringify(path[depth - 1])}, but not as an object` }
  const [key, ...rest] = path.slice(depth)
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  // A list that we begin is ours as well as the objects around it.
  const made = path
    .map((_, index) => path.slice(0, index + 1))
    .slice(depth, Array.isArray(value) ? undefined : -1)
  return { splices: putInto(text, root, container, key, nested), made }
}

/** Only what runs another command than it should; what else somebody put there stays. */
function correct(text: string, root: Node, path: JsonPath, telling: JsonEntry['telling']): Change {
  const wrong = Object.entries(telling).flatMap(([key, value]) => {
    const node = nodeAt(root, [...path, key])
    const isRight = node !== undefined && JSON.stringify(getNodeValue(node)) === JSON.stringify(value)
    return isRight ? [] : [{ key, value, node }]
  })
  const [first] = wrong
  const owner = nodeAt(root, path)
  if (first === undefined || owner === undefined) return NOTHING
  const splices = first.node
    ? [replaceValue(text, root, first.node, first.value)]
    : putInto(text, root, owner, first.key, first.value)
  const now = applySplices(text, splices)
  const next = parseJson(now)
  if (next === undefined) return { splices, made: [] }
  return { splices: [...splices, ...correct(now, next, path, telling).splices], made: [] }
}

export const stripEntry =
  ({ path, find }: JsonEntry): Step =>
  (text, root) => {
    const existing = nodeAt(root, path)
    const found = existing && find(getNodeValue(existing))
    return found === undefined
      ? NOTHING
      : { splices: takeOutAt(text, root, [...path, ...found.whole]), made: [] }
  }

export function takeOutAt(text: string, root: Node, path: JsonPath): Splice[] {
  const node = nodeAt(root, path)
  const child = node?.parent?.type === 'property' ? node.parent : node
  return child?.parent === undefined ? [] : takeOut(text, child.parent, child)
}

const isTwice = (node: Node | undefined, key: string): boolean =>
  (node?.children ?? []).filter(({ children }) => children?.[0]?.value === key).length > 1
