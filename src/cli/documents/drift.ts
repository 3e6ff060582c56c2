import type { Drift, DriftRow } from '../../domain/documents/compare.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, DOCUMENT_WORD, PROJECT, SELECT } from '../form/options.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { exitWith } from '../program/report.ts'
import { readContracts } from './read-contracts.ts'

const LOOKS = {
  breaking: ['red', '!'],
  behind: ['yellow', '<'],
  ahead: ['yellow', '>'],
  unknown: ['yellow', '?'],
  same: ['green', '='],
} as const satisfies Record<Drift, unknown>

export const drift = command({
  about:
    'Compare a document with what is in force, by meaning. Exits with 0 if it says the same, with 1 if it is ahead, behind or breaking, and with 3 if that is not known.',
  words: DOCUMENT_WORD,
  options: { ...SELECT, ...PROJECT, ...AGENT_ID },
  note: 'ahead: the document says more than is agreed, and breaks nobody; behind: more is agreed than it says; breaking: neither goes on from the other.',
  examples: ['cacpd contract drift openapi.yaml'],
  ask: async ({ file, select, project }, terminal) => {
    const { splitFile } = await import('./split-file.ts')
    const { driftOf } = await import('../../domain/documents/compare.ts')
    const { items, refused, source } = await splitFile(file, select, terminal)
    const left = refused.map(({ name, why }): DriftRow => ({ name, drift: 'unknown', say: [why] }))
    return async (client) => {
      const { contracts } = await readContracts(client, project)
      const rows = [...driftOf(items, contracts, source), ...left]
      return { answer: answerOf(rows), rows }
    }
  },
  show: ({ rows }, screen) => rows.map((row) => lines(row, screen)).join('\n'),
  failure: ({ answer }) => exitWith({ same: 0, drift: 1, unknown: 3 }[answer]),
})

function answerOf(rows: readonly DriftRow[]): 'same' | 'drift' | 'unknown' {
  if (rows.every(({ drift: one }) => one === 'same')) return 'same'
  return rows.some(({ drift: one }) => one !== 'same' && one !== 'unknown') ? 'drift' : 'unknown'
}

function lines({ name, drift: one, version, say }: DriftRow, look: { readonly colour: boolean }): string {
  const against = version === undefined ? '' : `, version ${version}`
  const [colour, mark] = LOOKS[one]
  return [
    paint(colour, printableLine(`${mark} ${name}${against}: ${one}`), look),
    ...say.map((text) => printableLine(`    ${text}`)),
  ].join('\n')
}
