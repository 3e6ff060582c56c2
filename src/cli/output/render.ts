import { isJsonObject } from '../../protocol/json/json.ts'
import { type Columns, columnsOf, keysToShow, type Row } from './columns.ts'
import { paint, paintStatus } from './paint.ts'
import { printable, printableLine } from './printable.ts'
import { readableRow, readableRows } from './readable-rows.ts'
import { type Look, renderTable } from './table.ts'

const INDENT = '  '

interface Style extends Look {
  readonly columns?: Columns
}

/**
 * A result for people: a line per value, a table per list of objects or, where a table would cut what they say,
 * one below the other; indented JSON for the rest.
 */
export function render(result: unknown, look: Look, columns: Columns = {}): string {
  const { colour, width, now, repos } = look
  const style = { colour, width, now, repos, columns }
  if (!isJsonObject(result)) return renderValue('', result, style)
  const shown = readableRow(result, style)
  return renderEntries(shown, keysToShow(shown), style)
}

const renderEntries = (object: Row, keys: readonly string[], style: Style): string =>
  keys.map((key) => renderEntry(key, object[key], style)).join('\n')

function renderEntry(key: string, value: unknown, style: Style): string {
  const label = paint('bold', `${printable(key)}:`, style)
  const text = renderValue(key, value, { ...style, width: style.width - INDENT.length })
  return text.includes('\n') ? `${label}\n${text.replaceAll(/^(?=.)/gm, INDENT)}` : `${label} ${text}`
}

function renderValue(key: string, value: unknown, style: Style): string {
  if (Array.isArray(value)) return renderList(key, value, style)
  if (isJsonObject(value)) return renderObject(value, style)
  return value === null || value === undefined ? '-' : paintStatus(printable(String(value)), style)
}

/** Indented JSON; but texts of several lines, such as code, are shown as lines. */
function renderObject(object: Row, style: Style): string {
  const isCode = Object.values(object).some((value) => typeof value === 'string' && value.includes('\n'))
  return isCode
    ? renderEntries(object, Object.keys(object), style)
    : printable(JSON.stringify(object, null, 2))
}

function renderList(key: string, items: readonly unknown[], style: Style): string {
  if (items.length === 0) return 'none'
  if (items.every(isJsonObject)) {
    const rows = readableRows(items, style)
    return renderTold(rows, columnsOf(rows, style.columns?.[key]), style)
  }
  if (items.some((item) => typeof item === 'object')) return printable(JSON.stringify(items, null, 2))
  return items.map((item) => printableLine(String(item))).join(', ')
}

/** A table of rows that all have the same keys, in that order. */
export function renderRows(rows: readonly Row[], look: Look): string {
  const told = readableRows(rows, look)
  return renderTold(told, Object.keys(told[0] ?? {}), look)
}

function renderTold(rows: readonly Row[], keys: readonly string[], style: Style): string {
  const keysIn = (row: Row) => keys.filter((key) => key in row)
  return (
    renderTable(rows, keys, style) ?? rows.map((row) => renderEntries(row, keysIn(row), style)).join('\n\n')
  )
}
