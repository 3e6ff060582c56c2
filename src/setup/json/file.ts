import {
  applySplices,
  type Edit,
  insertion,
  isBlankText,
  type JsonPath,
  NOTHING,
  notValid,
  type SetupFile,
  type Splice,
} from '../edit.ts'
import { brokenLine, jsonText, nodeAt, parseJson, putInto } from './edit.ts'
import { type JsonEntry, putEntry, type Step, stripEntry, takeOutAt } from './entry.ts'

/** A value that the client wants to see beside our entries. It is taken out with the last of them. */
interface JsonCompanion {
  readonly key: string
  readonly value: unknown
}

interface JsonFileOptions {
  readonly path: string
  readonly purpose: string
  readonly entries: readonly JsonEntry[]
  readonly companion?: JsonCompanion
}

export function jsonFile({ path, purpose, entries, companion }: JsonFileOptions): SetupFile {
  const whole = wholeDocument(entries, companion)
  return {
    path,
    purpose,
    paste: whole,
    put: (text) => {
      if (text === undefined || isBlankText(text))
        return { splices: [insertion(text?.length ?? 0, whole)], made: pathsAround(entries, companion) }
      return inSteps(text, [...entries.map((entry) => putEntry(entry)), putCompanion(companion)])
    },
    strip: (text, made) => {
      if (isBlankText(text)) return NOTHING
      const taken = inSteps(text, entries.map(stripEntry))
      if ('refused' in taken || taken.splices.length === 0) return taken
      const rest = applySplices(text, taken.splices)
      // Where nothing was remembered, an object that is empty without our entries was made for them.
      const ends = prune(rest, made ?? pathsAround(entries, companion), entries)
      return { splices: [...taken.splices, ...ends], made: [] }
    },
    isBlank: isEmptyDocument,
  }
}

const notJson = (text: string): string => notValid('JSON', brokenLine(text))

/** Each step sees the document as the steps before it left it. */
function inSteps(text: string, steps: readonly Step[]): Edit {
  let now = text
  const splices: Splice[] = []
  const made: JsonPath[] = []
  for (const step of steps) {
    const root = parseJson(now)
    if (root?.type !== 'object') return { refused: root ? 'does not hold a JSON object' : notJson(now) }
    const edit = step({ text: now, root })
    if ('refused' in edit) return edit
    now = applySplices(now, edit.splices)
    splices.push(...edit.splices)
    made.push(...edit.made)
  }
  return parseJson(now) === undefined ? { refused: notJson(now) } : { splices, made }
}

const putCompanion =
  (companion: JsonCompanion | undefined): Step =>
  (document) =>
    companion === undefined || nodeAt(document.root, [companion.key]) !== undefined
      ? NOTHING
      : { splices: putInto(document, document.root, companion), made: [[companion.key]] }

/** Takes out the objects that we made and that are empty by now, the innermost first, and the companion last. */
function prune(text: string, made: readonly JsonPath[], entries: readonly JsonEntry[]): Splice[] {
  const splices: Splice[] = []
  let now = text
  const isAround = ([key]: JsonPath) => entries.some(({ path }) => path[0] === key)
  const [around, others] = [made.filter(isAround), made.filter((path) => !isAround(path))]
  for (const path of [...around.toSorted((a, b) => b.length - a.length), ...others]) {
    const root = parseJson(now)
    const node = root && nodeAt(root, path)
    if (root === undefined || node === undefined) continue
    const isNeeded = isAround(path)
      ? node.children?.length !== 0
      : entries.some((entry) => nodeAt(root, entry.path.slice(0, 1)) !== undefined)
    if (isNeeded) continue
    const taken = takeOutAt({ text: now, root }, path)
    splices.push(...taken)
    now = applySplices(now, taken)
  }
  return splices
}

const pathsAround = (entries: readonly JsonEntry[], companion: JsonCompanion | undefined): JsonPath[] => [
  ...entries.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1))),
  ...(companion === undefined ? [] : [[companion.key]]),
]

const isEmptyDocument = (text: string): boolean => /^\uFEFF?\s*(?:\{\s*\}\s*)?$/.test(text)

function wholeDocument(entries: readonly JsonEntry[], companion: JsonCompanion | undefined): string {
  const document: Record<string, unknown> =
    companion === undefined ? {} : { [companion.key]: companion.value }
  for (const { path, value, isItem } of entries) {
    let place = document
    for (const key of path.slice(0, -1)) {
      place[key] ??= {}
      place = place[key] as Record<string, unknown>
    }
    place[path.at(-1) ?? ''] = isItem ? [value] : value
  }
  return `${jsonText(document, { eol: '\n', unit: '  ', isOneLine: false })}\n`
}
