import { paint, paintStatus } from './paint.ts'
import { printable } from './printable.ts'

export interface Look {
  readonly colour: boolean
  readonly width: number
}

type Row = Readonly<Record<string, unknown>>

const CELL_WIDTH = 40
const GAP = '  '
/** What people look for first, behind the row's own id. */
const LEADING = ['name', 'status', 'type', 'version']

/** A table of as many columns as fit. Lists inside a row are counted and objects cut short: `--json` has all. */
export function renderTable(rows: readonly Row[], look: Look): string {
  const columns = keysOf(rows).map((key) => layOutColumn(key, rows, look))
  let used = -GAP.length
  const shown = columns.filter(({ width }, index) => {
    used += GAP.length + width
    return index === 0 || used <= look.width
  })
  const lines = Array.from({ length: rows.length + 1 }, (_, index) =>
    shown
      .map(({ lines }) => lines[index])
      .join(GAP)
      .trimEnd(),
  )
  if (shown.length < columns.length) lines.push(paint('dim', '(more columns: --json)', look))
  return lines.join('\n')
}

/** The heading and the cells of one column, all of the same width. */
function layOutColumn(key: string, rows: readonly Row[], look: Look): { width: number; lines: string[] } {
  const heading = summarize(key)
  const cells = rows.map((row) => summarize(row[key]))
  const width = Math.max(...[heading, ...cells].map(displayWidth))
  const pad = (text: string, painted: string) => painted + ' '.repeat(width - displayWidth(text))
  return {
    width,
    lines: [
      pad(heading, paint('bold', heading, look)),
      ...cells.map((cell) => pad(cell, paintStatus(cell, look))),
    ],
  }
}

/** Each thing once: results carry the document's and the reference's spelling of the same key. */
function keysOf(rows: readonly Row[]): string[] {
  const bySpelling = new Map<string, string>()
  for (const key of rows.flatMap((row) => Object.keys(row))) {
    const spelling = key.replaceAll('_', '').toLowerCase()
    if (!bySpelling.has(spelling)) bySpelling.set(spelling, key)
  }
  const keys = [...bySpelling.values()]
  const leading = [keys.find((key) => /(_i|I)d$/.test(key)), ...LEADING]
  const place = (key: string) => (leading.includes(key) ? leading.indexOf(key) : leading.length)
  return keys.sort((a, b) => place(a) - place(b))
}

function summarize(value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value)) return String(value.length)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return clip(printable(text).replaceAll(/\s+/g, ' '))
}

const clip = (text: string): string =>
  text.length <= CELL_WIDTH ? text : `${[...text].slice(0, CELL_WIDTH - 1).join('')}…`

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/gu

function displayWidth(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0)
}
