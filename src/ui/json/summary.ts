import { isFields, isList, type JsonValue } from './value.ts'

/** A part of a document: how it is called, and what it is. */
export interface Entry {
  readonly name: string
  readonly value: JsonValue
}

export function entriesOf(value: JsonValue): readonly Entry[] {
  if (isList(value)) return value.map((item, index) => ({ name: String(index), value: item }))
  if (isFields(value)) return Object.entries(value).map(([name, inner]) => ({ name, value: inner }))
  return []
}

/** What a folded part contains: `{ 3 fields }`, `[ 12 items ]`. */
export function summaryOf(value: JsonValue): string {
  const count = entriesOf(value).length
  if (isList(value)) return `[ ${count} ${count === 1 ? 'item' : 'items'} ]`
  return `{ ${count} ${count === 1 ? 'field' : 'fields'} }`
}

/** Whether there is something inside. */
export const isNested = (value: JsonValue): boolean => entriesOf(value).length > 0

/** How many levels can be open while no more rows than that are seen; the first one is open in any case. */
export function levelsWithin(document: JsonValue, most: number): number {
  let level = entriesOf(document)
  let [rows, levels] = [level.length, 1]
  while (level.length > 0) {
    level = level.flatMap(({ value }) => entriesOf(value))
    rows += level.length
    if (rows > most) break
    levels++
  }
  return levels
}

export interface Found {
  /** Such as `response.roles[2]`. */
  readonly path: string
  readonly value: JsonValue
}

/** The parts whose name or value has a text, up to so many. */
export function findIn(document: JsonValue, words: string, most: number): readonly Found[] {
  const wanted = words.toLowerCase()
  const found: Found[] = []
  const look = (path: string, name: string, value: JsonValue): void => {
    if (found.length >= most) return
    const isSimple = !isList(value) && !isFields(value)
    const text = isSimple ? `${name} ${String(value)}` : name
    if (path !== '' && text.toLowerCase().includes(wanted)) found.push({ path, value })
    for (const entry of entriesOf(value))
      look(pathTo(path, entry.name, isList(value)), isList(value) ? '' : entry.name, entry.value)
  }
  look('', '', document)
  return found
}

const pathTo = (path: string, name: string, isItem: boolean): string =>
  isItem ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
