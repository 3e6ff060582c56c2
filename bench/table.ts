import { cpus } from 'node:os'
import type { Figure } from './figure.ts'

export interface Machine {
  readonly node: string
  readonly cores: number
  readonly cpu: string
  readonly platform: string
}

export const machine = (): Machine => ({
  node: process.version,
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  platform: `${process.platform} ${process.arch}`,
})

export const HEADINGS = ['figure', 'ours', 'compared with', 'ratio', 'goal', 'verdict']

/** The figures for people. */
export function table(figures: readonly Figure[]): string {
  const { node, cores, cpu, platform } = machine()
  const rows = [HEADINGS, ...figures.map(numbered)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  const notes = figures.flatMap(({ notes }, index) => notes.map((note) => `  ${index + 1}  ${note}`))
  return [
    `cacpd bench: node ${node}, ${cores} cores (${cpu}), ${platform}; medians of interleaved rounds`,
    '',
    line(HEADINGS),
    rule,
    ...rows.slice(1).map(line),
    '',
    ...notes,
    '',
  ].join('\n')
}

/** The notes below name a row by its number. */
function numbered(figure: Figure, index: number): string[] {
  const [name, ...cells] = cellsOf(figure)
  return [`${index + 1}  ${name}`, ...cells]
}

/** What a row says, one cell for each heading. */
export function cellsOf({ name, unit, ours, comparedWith, ratio, goal, met }: Figure): string[] {
  return [
    name,
    amount(ours, unit),
    `${amount(comparedWith.value, unit)} ${comparedWith.name}`,
    ratio.toFixed(ratio < 0.1 ? 4 : ratio < 10 ? 2 : 0),
    goal === null ? '' : bound(goal, unit),
    met === null ? '' : met ? 'met' : 'MISSED',
  ]
}

function bound(goal: NonNullable<Figure['goal']>, unit: Figure['unit']): string {
  const [sign, value] = 'least' in goal ? ['≥', goal.least] : ['≤', goal.most]
  return `${sign} ${goal.of === 'ratio' ? value : amount(value, unit)}`
}

function amount(value: number, unit: Figure['unit']): string {
  const digits =
    unit === 'bytes' || unit === 'pairs' || unit === 'rows' ? 0 : value < 1 ? 3 : value < 100 ? 1 : 0
  const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${text} ${unit === 'requests/s' ? 'req/s' : unit}`
}
