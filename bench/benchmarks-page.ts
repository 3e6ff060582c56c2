import type { Figure } from './figure.ts'
import { cellsOf, HEADINGS, type Machine } from './table.ts'

/** What one part measured. */
export interface Measured {
  readonly part: string
  readonly figures: readonly Figure[]
}

export interface BenchRun {
  readonly machine: Machine
  /** Such as 2026-11-17. */
  readonly date: string
  readonly measured: readonly Measured[]
  /** All parts that there are, in the order of the page. */
  readonly parts: readonly string[]
}

const BEGIN = '<!-- bench: begin -->'
const END = '<!-- bench: end -->'

/** The page with the rows of a run between its markers; rows of parts that did not run stay as they are. */
export function withRun(page: string, { machine, date, measured, parts }: BenchRun): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`the page has no ${BEGIN} with an ${END} after it`)
  const { node, cores, cpu, platform } = machine
  const where = `${date}, Node ${node}, ${cores} cores (${cpu}), ${platform}`
  const rows = new Map(
    measured.map(({ part, figures }) => [part, figures.map((one) => row(part, one, where))]),
  )
  const before = page.slice(from, to).split('\n')
  const lines = parts.flatMap(
    (part) => rows.get(part) ?? before.filter((line) => line.startsWith(`| ${part} |`)),
  )
  const headings = ['part', ...HEADINGS, 'to be known', 'measured']
  const table = [line(headings), line(headings.map(() => '---')), ...lines].join('\n')
  return `${page.slice(0, from)}${BEGIN}\n${table}\n${page.slice(to)}`
}

const row = (part: string, figure: Figure, where: string): string =>
  line([part, ...cellsOf(figure), figure.notes.join('; '), where])

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
