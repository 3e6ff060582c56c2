import { paint, paintStatus } from './paint.ts'
import { printable } from './printable.ts'
import { type Look, renderTable } from './table.ts'

const INDENT = '  '

/** A result for people: a line per value, a table per list of objects, indented JSON for the rest. */
export function render(result: unknown, look: Look): string {
  if (!isObject(result)) return renderValue(result, look)
  return Object.entries(result)
    .map(([key, value]) => renderEntry(paint('bold', `${printable(key)}:`, look), value, look))
    .join('\n')
}

function renderEntry(label: string, value: unknown, look: Look): string {
  const text = renderValue(value, look)
  return text.includes('\n') ? `${label}\n${text.replaceAll(/^/gm, INDENT)}` : `${label} ${text}`
}

function renderValue(value: unknown, look: Look): string {
  if (Array.isArray(value)) return renderList(value, look)
  if (isObject(value)) return printable(JSON.stringify(value, null, 2))
  return value === null || value === undefined ? '-' : paintStatus(printable(String(value)), look)
}

function renderList(items: readonly unknown[], look: Look): string {
  if (items.length === 0) return 'none'
  if (items.every(isObject)) return renderTable(items, { ...look, width: look.width - INDENT.length })
  if (items.some((item) => typeof item === 'object')) return printable(JSON.stringify(items, null, 2))
  return items.map((item) => printable(String(item))).join(', ')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
