import type { ResultOf } from '../../../methods/table.ts'

export type AuditLine = ResultOf<'cacp/audit/list'>['lines'][number]

/** Lines of the access log that tell the same, one after the other, as one. */
export interface FoldedLine {
  /** The newest of them. */
  readonly line: AuditLine
  readonly times: number
  /** When the oldest of them was. */
  readonly since: string
}

/** Folds lines that are sorted, the newest first: a daemon that calls every minute takes one row. */
export function foldLines(lines: readonly AuditLine[]): FoldedLine[] {
  const folded: FoldedLine[] = []
  for (const line of lines) {
    const { times = 1 } = line
    const above = folded.at(-1)
    if (above !== undefined && tells(above.line) === tells(line))
      folded[folded.length - 1] = { ...above, times: above.times + times, since: line.at }
    else folded.push({ line, times, since: line.at })
  }
  return folded
}

const tells = ({
  outcome,
  fault,
  caller,
  agentId,
  credential,
  from,
  what,
  projectId,
  ids,
}: AuditLine): string =>
  JSON.stringify([outcome, fault, caller, agentId, credential, from, what, projectId, ids])
