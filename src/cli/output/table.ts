import type { Row } from './columns.ts'
import { paint, paintStatus } from './paint.ts'
import { printable, printableLine } from './printable.ts'
import type { Known } from './readable-rows.ts'

export interface Look extends Known {
  readonly colour: boolean
  readonly width: number
}

const CELL_WIDTH = 40
const GAP = '  '
/** The only column that may be cut: it always stands beside an id. */
const NAME = 'name'
/** Lists that say what a row is about. All others are counted. */
const SPELT = new Set([
  ...['ids', 'agree', 'objects', 'silent', 'marks', 'dependsOn'],
  ...['blames', 'failedBy', 'permissions', 'languages'],
])

/**
 * A table of as many columns as fit; those that matter most come first.
 * Undefined where a table would hide what a row is about: records then say it all.
 */
export function renderTable(rows: readonly Row[], keys: readonly string[], look: Look): string | undefined {
  if (rows.some((row) => keys.some((key) => key !== NAME && !fitsCell(key, row[key])))) return undefined
  const columns = keys.map((key) => layOutColumn(key, rows, look))
  let used = -GAP.length
  const shown = columns.filter(({ width }, index) => {
    used += GAP.length + width
    return index === 0 || used <= look.width
  })
  if (shown.length < Math.min(2, columns.length)) return undefined
  if (columns.some((column) => column.isProse && !shown.includes(column))) return undefined
  const lines = Array.from({ length: rows.length + 1 }, (_, index) =>
    shown
      .map(({ lines }) => lines[index])
      .join(GAP)
      .trimEnd(),
  )
  if (shown.length < columns.length) lines.push(paint('dim', '(more columns: --json)', look))
  return lines.join('\n')
}

/** Ids and addresses are of use only as a whole, so no length is too much for them. */
const WHOLE = /(?:^|_)(?:id|by|to|repo|agent|endpoint)$|(?:Id|By| ID)$|^(?:endpoint|url|sha256|revision)$/

function fitsCell(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object')
  if (typeof value === 'object' && value !== null) return false
  const text = printable(String(value))
  return !text.includes('\n') && (WHOLE.test(key) || [...text].length <= CELL_WIDTH)
}

/** The heading and the cells of one column, all of the same width. */
function layOutColumn(key: string, rows: readonly Row[], look: Look) {
  const heading = clip(printableLine(key))
  const cells = rows.map((row) => cellOf(key, row[key]))
  const width = cells.reduce((widest, cell) => Math.max(widest, displayWidth(cell)), displayWidth(heading))
  const pad = (text: string, painted: string) => painted + ' '.repeat(width - displayWidth(text))
  return {
    width,
    /** Somebody wrote it for somebody to read, so it must not be left out. */
    isProse: cells.some((cell) => cell.length > 20 && cell.includes(' ')),
    lines: [
      pad(heading, paint('bold', heading, look)),
      ...cells.map((cell) => pad(cell, paintStatus(cell, look))),
    ],
  }
}

function cellOf(key: string, value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value))
    return SPELT.has(key) ? printableLine(value.join(',')) || '-' : String(value.length)
  const text = printableLine(String(value))
  return key === NAME ? clip(text) : text
}

const clip = (text: string): string =>
  [...text].length <= CELL_WIDTH ? text : `${[...text].slice(0, CELL_WIDTH - 1).join('')}…`

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/gu

const displayWidth = (text: string): number => [...text].length + (text.match(WIDE)?.length ?? 0)
