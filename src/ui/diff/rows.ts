import { type ListAlignment, listAlignment } from '../../domain/contract/align-lists.ts'
import { isFields, isList, type JsonValue, own, sortedKeys } from '../json/value.ts'

/** One line of two documents beside each other. */
export interface DiffRow {
  readonly is: 'same' | 'added' | 'removed' | 'changed'
  readonly before?: Line
  readonly after?: Line
}

export interface Line {
  readonly depth: number
  readonly text: string
}

interface Part {
  readonly value: JsonValue
  /** With its colon; empty for an item of a list. */
  readonly label: string
  /** What comes after it on its last line: a comma, unless it is the last one. */
  readonly comma: string
}

/** Values that belong together; one is missing where it was added or removed. */
interface Pair {
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** The lines of two documents, aligned by their structure, with keys in one order. Taken one by one, so that it can be stopped. */
export function diffRows(before: JsonValue, after: JsonValue): Generator<DiffRow> {
  const whole = { label: '', comma: '' }
  return compare({ ...whole, value: before }, { ...whole, value: after }, 0, listAlignment())
}

function* compare(before: Part, after: Part, depth: number, lists: ListAlignment): Generator<DiffRow> {
  if (isFields(before.value) && isFields(after.value)) {
    const [a, b] = [before.value, after.value]
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
    const pairs = keys.map((key) => ({ key, ...pairAt(own(a, key), own(b, key)) }))
    return yield* inside({ before, after, pairs, depth, lists, brackets: '{}' })
  }
  if (isList(before.value) && isList(after.value)) {
    const [a, b] = [before.value, after.value]
    const pairs = lists.align(a, b).map((pair) => pairAt(a[pair.before ?? -1], b[pair.after ?? -1]))
    return yield* inside({ before, after, pairs, depth, lists, brackets: '[]' })
  }
  if (isSimple(before.value) && isSimple(after.value)) {
    const is = before.value === after.value ? 'same' : 'changed'
    return yield { is, before: lineOf(before, depth), after: lineOf(after, depth) }
  }
  yield* alone('removed', before, depth)
  yield* alone('added', after, depth)
}

interface Inside {
  readonly before: Part
  readonly after: Part
  readonly pairs: readonly (Pair & { readonly key?: string })[]
  readonly depth: number
  readonly lists: ListAlignment
  readonly brackets: string
}

function* inside({ before, after, pairs, depth, lists, brackets }: Inside): Generator<DiffRow> {
  const [open = '', close = ''] = brackets
  if (pairs.length === 0) {
    const line = (part: Part) => ({ depth, text: `${part.label}${brackets}${part.comma}` })
    return yield { is: 'same', before: line(before), after: line(after) }
  }
  const [lastBefore, lastAfter] = [
    pairs.findLastIndex((pair) => pair.before !== undefined),
    pairs.findLastIndex((pair) => pair.after !== undefined),
  ]
  yield {
    is: 'same',
    before: { depth, text: before.label + open },
    after: { depth, text: after.label + open },
  }
  for (const [index, pair] of pairs.entries()) {
    const label = pair.key === undefined ? '' : `${JSON.stringify(pair.key)}: `
    const x = pair.before !== undefined && {
      value: pair.before,
      label,
      comma: index === lastBefore ? '' : ',',
    }
    const y = pair.after !== undefined && { value: pair.after, label, comma: index === lastAfter ? '' : ',' }
    if (x && y) yield* compare(x, y, depth + 1, lists)
    else if (x) yield* alone('removed', x, depth + 1)
    else if (y) yield* alone('added', y, depth + 1)
  }
  yield {
    is: 'same',
    before: { depth, text: close + before.comma },
    after: { depth, text: close + after.comma },
  }
}

function* alone(is: 'added' | 'removed', part: Part, depth: number): Generator<DiffRow> {
  for (const line of linesOf(part, depth)) yield is === 'added' ? { is, after: line } : { is, before: line }
}

/** The lines of one document. */
export function* linesOf({ value, label, comma }: Part, depth: number): Generator<Line> {
  const inner = isFields(value)
    ? sortedKeys(value).map((key) => ({ value: value[key] ?? null, label: `${JSON.stringify(key)}: ` }))
    : isList(value)
      ? value.map((item) => ({ value: item, label: '' }))
      : []
  if (inner.length === 0) return yield lineOf({ value, label, comma }, depth)
  const [open, close] = isList(value) ? '[]' : '{}'
  yield { depth, text: `${label}${open}` }
  for (const [index, part] of inner.entries())
    yield* linesOf({ ...part, comma: index === inner.length - 1 ? '' : ',' }, depth + 1)
  yield { depth, text: `${close}${comma}` }
}

const lineOf = ({ value, label, comma }: Part, depth: number): Line => ({
  depth,
  text: `${label}${JSON.stringify(value)}${comma}`,
})

const isSimple = (value: JsonValue): boolean => !isFields(value) && !isList(value)

const pairAt = (before: JsonValue | undefined, after: JsonValue | undefined): Pair => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})
