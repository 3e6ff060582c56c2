import { expect, test } from 'vitest'
import { type BenchRun, withRun } from '../../bench/benchmarks-page.ts'
import { type Figure, figure } from '../../bench/figure.ts'
import { pageText } from './pages.ts'

const MACHINE = { node: 'v20.18.1', cores: 2, cpu: 'some | chip', platform: 'linux x64' }
const PARTS = ['reads', 'writes', 'restart']
const EMPTY = 'before\n<!-- bench: begin -->\nNo run was written yet.\n<!-- bench: end -->\nafter\n'

const measured = (name: string, ours: number, least: number): Figure =>
  figure({
    name,
    unit: 'requests/s',
    ours,
    comparedWith: { name: 'bare echo', value: 1000 },
    ratio: ours / 1000,
    goal: { of: 'ratio', least },
    notes: ['warm', 'on loopback'],
  })

const run = (date: string, figures: Record<string, Figure[]>): BenchRun => ({
  machine: MACHINE,
  date,
  measured: Object.entries(figures).map(([part, all]) => ({ part, figures: all })),
  parts: PARTS,
})

/** The cells of the rows that a page has, without the headings. */
const rowsIn = (page: string): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '))

test('a run stands between the markers, each row with machine and date, and says which goal it missed', () => {
  const page = withRun(EMPTY, run('2026-11-17', { reads: [measured('get ÷ echo', 410, 0.5)] }))
  expect(page).toMatch(/^before\n<!-- bench: begin -->\n\| part \|[\s\S]+\n<!-- bench: end -->\nafter\n$/)
  expect(page).not.toContain('No run')
  expect(rowsIn(page)).toEqual([
    [
      'reads',
      'get ÷ echo',
      '410 req/s',
      '1,000 req/s bare echo',
      '0.41',
      '≥ 0.5',
      'MISSED',
      'warm; on loopback',
      '2026-11-17, Node v20.18.1, 2 cores (some \\| chip), linux x64',
    ],
  ])
})

test('a later run of other parts leaves the rows of the earlier one, in the order of the parts', () => {
  const first = withRun(
    EMPTY,
    run('2026-11-16', { reads: [measured('get', 410, 0.5)], restart: [measured('start', 900, 0.5)] }),
  )
  const second = withRun(
    first,
    run('2026-11-17', {
      writes: [measured('propose', 160, 0.3)],
      restart: [measured('start', 950, 0.5), measured('again', 990, 0.5)],
    }),
  )
  expect(rowsIn(second).map((cells) => [cells[0], cells[1], cells.at(-1)?.slice(0, 10)])).toEqual([
    ['reads', 'get', '2026-11-16'],
    ['writes', 'propose', '2026-11-17'],
    ['restart', 'start', '2026-11-17'],
    ['restart', 'again', '2026-11-17'],
  ])
})

test('a page without the markers is not written', () => {
  expect(() => withRun('# Benchmarks\n', run('2026-11-17', {}))).toThrow('has no <!-- bench: begin -->')
})

test('docs/benchmarks.md has the markers', () => {
  const page = pageText('docs/benchmarks.md')
  const written = withRun(page, run('2026-11-17', { reads: [measured('get', 410, 0.5)] }))
  const rows = rowsIn(written.slice(written.indexOf('<!-- bench: begin -->')))
  expect(rows.flatMap(([part, name]) => (part === 'reads' ? [name] : []))).toEqual(['get'])
})
