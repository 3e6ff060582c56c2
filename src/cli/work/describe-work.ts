import type { ResultOf } from '../../methods/table.ts'
import { spansText } from '../../protocol/chiffon/chunks.ts'
import { printable } from '../output/printable.ts'
import { render, renderRows } from '../output/render.ts'
import type { Look } from '../output/table.ts'

type Shown = ResultOf<'cacp/work/get'>

/** Work that was sent, for people: a line for each thing there is to know. `--json` has all. */
export function describeWork(
  { work, result = null }: { work: Shown['work']; result?: Shown['result'] },
  look: Look,
): string {
  const { step, error } = work
  const told = {
    workId: work.workId,
    status: work.status,
    progress: `${work.progress} %`,
    workType: work.workType,
    repoName: work.repoName,
    agentId: work.agentId,
    step: step === null || step.number === 0 ? null : `${step.number}. ${step.name}`,
    contractId: work.contractId,
    packetId: work.packetId,
    createdAt: work.createdAt,
    endedAt: work.endedAt,
    sends: work.sends,
    error: error === null ? null : `${error.message} (${error.code})`,
    exitCode: result?.exitCode ?? null,
    missing: result === null || result.missing.length === 0 ? null : `bytes ${spansText(result.missing)}`,
    output: result === null ? null : result.output.trimEnd(),
  }
  const known = Object.entries(told).filter(([, value]) => value !== null && value !== '')
  return render(Object.fromEntries(known), look)
}

/** One line for each; `cacpd work get` has the whole of a problem. */
export function describeWorks(works: readonly Shown['work'][], look: Look): string {
  if (works.length === 0) return 'none; no work was sent from here yet'
  const rows = works.map(({ error, ...work }) => ({
    workId: work.workId,
    status: work.status,
    progress: `${work.progress} %`,
    workType: work.workType,
    repoName: work.repoName,
    sends: work.sends,
    createdAt: work.createdAt,
    problem: error === null ? null : cutToCell(`${error.code}: ${error.message}`),
  }))
  return renderRows(rows, look)
}

/** Of a text in a table. */
const CELL_WIDTH = 40

export const cutToCell = (text: string): string =>
  text.length <= CELL_WIDTH ? text : `${text.slice(0, CELL_WIDTH - 1).toWellFormed()}…`

/** What the agent answered, without the line end behind it, which is printed whether or not the agent wrote one. */
export const answerOf = ({ output }: NonNullable<Shown['result']>): string =>
  printable(output).replace(/\n$/, '')
