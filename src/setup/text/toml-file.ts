import { parse, TomlError } from 'smol-toml'
import {
  applySplices,
  type Edit,
  isBlankText,
  NOTHING,
  notValid,
  type Refusal,
  type SetupFile,
  type Splice,
} from '../edit.ts'
import { cutLines, editBlock, markedBlock, putBlock } from './marked-block.ts'

/** A table of ours in a TOML file of the user, between marks at its end. */
interface TomlTable {
  readonly path: string
  readonly purpose: string
  readonly keys: readonly string[]
  readonly values: Readonly<Record<string, unknown>>
  /** The keys that say what is run: the user may change the others. */
  readonly telling: readonly string[]
}

type Table = Readonly<Record<string, unknown>>

export function tomlFile({ path, purpose, keys, values, telling }: TomlTable): SetupFile {
  const name = `[${keys.join('.')}]`
  const lines = [name, ...Object.entries(values).map(([key, value]) => `${key} = ${tomlValue(value)}`)]
  const block = markedBlock(lines, { open: '# ', close: '' })
  return {
    path,
    purpose,
    paste: `${lines.join('\n')}\n`,
    put: (text = '') => {
      const document = read(text)
      if ('refused' in document) return document
      return editBlock(text, (place) => {
        const existing = at(document.table, keys)
        const isRight = telling.every((key) => same((existing as Table | undefined)?.[key], values[key]))
        if (existing !== undefined && isRight) return NOTHING
        if (existing !== undefined && place === undefined) return { refused: `has another ${name}` }
        return checked(text, putBlock(text, block, place), keys)
      })
    },
    strip: (text) =>
      editBlock(text, (place) =>
        place === undefined ? NOTHING : checked(text, [cutLines(text, place)], keys),
      ),
    isBlank: isBlankText,
  }
}

/** In TOML, lines belong to the table above them: so everything but our table must mean the same afterwards. */
function checked(text: string, splices: readonly Splice[], keys: readonly string[]): Edit {
  const [before, after] = [read(text), read(applySplices(text, splices))]
  if ('refused' in before) return before
  if ('refused' in after || !same(without(before.table, keys), without(after.table, keys)))
    return { refused: `has lines that would mean something else with [${keys.join('.')}] at its place` }
  return { splices, made: [] }
}

/** The document, or why it is left alone. */
function read(text: string): { readonly table: Table } | Refusal {
  try {
    return { table: parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' }) }
  } catch (error) {
    return { refused: notValid('TOML', error instanceof TomlError ? error.line : undefined) }
  }
}

const at = (table: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Table | undefined)?.[key], table)

/** Also removes the tables around it that are empty then. */
function without(table: Table, [key = '', ...rest]: readonly string[]): Table {
  const { [key]: inner, ...others } = table
  if (inner === undefined || rest.length === 0) return others
  const left = without(inner as Table, rest)
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left }
}

const same = (a: unknown, b: unknown): boolean => plain(a) === plain(b)

const plain = (value: unknown): string => JSON.stringify(sorted(value)) ?? ''

/** The order of keys has no meaning. */
function sorted(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || 'toISOString' in value) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** Strings, numbers and lists of strings. TOML has the same escapes as JSON, except for DEL. */
const tomlValue = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(tomlValue).join(', ')}]`
    : JSON.stringify(value).replaceAll('\u007F', '\\u007F')
