import { markdownOf } from '../../domain/names/markdown.ts'
import type { ResultOf } from '../../methods/table.ts'
import { annotation } from '../output/github.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'

export type Gate = ResultOf<'cacp/gate/check'>
type Row = Gate['rows'][number]

const MARKS = { yes: '+', no: '!', unknown: '?' } as const
const COLOURS = { yes: 'green', no: 'red', unknown: 'yellow' } as const
const LEVELS = { yes: 'notice', no: 'error', unknown: 'warning' } as const

const headline = ({ repo, answer, rows }: Gate): string => {
  const word = { yes: 'yes', no: 'no', unknown: 'not known' }[answer]
  return `${repo} may merge: ${word}${rows.length === 0 ? ' (it has no contract)' : ''}`
}

/** Why it is so and whom to ask, then the notes. */
const whyOf = ({ say, ask = [], notes = [] }: Row): readonly [why: string, ...notes: string[]] => [
  `${say}${ask.length === 0 ? '' : ` (ask ${ask.join(', ')})`}`,
  ...notes,
]
const titled = ({ name, version }: Row): string => `${name}, version ${version}`

/** For people at a terminal: the answer, and why for each contract. */
export function describeGate(gate: Gate, look: { readonly colour: boolean }): string {
  return [
    paint(COLOURS[gate.answer], printableLine(headline(gate)), look),
    ...gate.rows.flatMap((row) => {
      const [why, ...notes] = whyOf(row)
      return [
        paint(COLOURS[row.answer], printableLine(`${MARKS[row.answer]} ${titled(row)}: ${why}`), look),
        ...notes.map((note) => printableLine(`    ${note}`)),
        ...(row.next === undefined ? [] : [printableLine(`    next: ${row.next.method}`)]),
      ]
    }),
  ].join('\n')
}

/** For a comment of a pull request. What others wrote makes no markup. */
export function markdownGate(gate: Gate): string {
  const rows = gate.rows.map(
    (row) => `| ${row.answer} | ${markdownOf(titled(row))} | ${whyOf(row).map(markdownOf).join('. ')} |`,
  )
  const table = rows.length === 0 ? [] : ['', '| answer | contract | why |', '|---|---|---|', ...rows]
  return [`**${markdownOf(headline(gate))}**`, ...table].join('\n')
}

/** As annotations of a workflow of GitHub. */
export const githubGate = (gate: Gate): string =>
  [
    annotation(LEVELS[gate.answer], 'can-i-merge', headline(gate)),
    ...gate.rows.map((row) => annotation(LEVELS[row.answer], titled(row), whyOf(row).join('. '))),
  ].join('\n')
