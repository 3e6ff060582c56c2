import { compareText } from '../../protocol/json/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { redaction as redactionKind } from '../statements/redaction.ts'
import type { Statement } from '../statements/statement.ts'
import type { By } from './entities.ts'
import type { Speakers } from './speakers.ts'

/** Which repo and agent a statement comes from. */
export function byOf(statement: Statement, speakers: Speakers) {
  const { repo_id, agent_id, mark, reported_by } = speakers.authorshipOf(statement)
  return {
    id: statement.id,
    repo_id: repo_id ?? '',
    agent_id,
    timestamp: statement.at,
    by_person: statement.body['by_person'] === true,
    /** Why it is doubtful: the claim behind it is not confirmed, or has ended since. */
    mark,
    /** The agent whose daemon signed this on the author's behalf, if the author's own daemon signs nothing. */
    reported_by,
    key: statement.key,
  }
}

/** Marks what a person said, for answers that name the author by repo and agent. */
export const markOfPerson = ({ by_person }: Pick<By, 'by_person'>): { readonly byPerson?: true } =>
  by_person ? { byPerson: true } : {}

/** Who said something, as answers name it. */
export const speakerOf = (said: By) => ({
  repoId: said.repo_id,
  agentId: said.agent_id,
  ...markOfPerson(said),
})

/** In order of time, then of ids. */
export const byTimestamp = (a: By, b: By): number =>
  compareText(a.timestamp, b.timestamp) || compareText(a.id, b.id)

export const newestFirst = (a: By, b: By): number => byTimestamp(b, a)

export const redactedBy = (redaction: Statement, speakers: Speakers) => ({
  by: speakers.authorshipOf(redaction).agent_id,
  at: redaction.at,
  reason: bodyOf(redactionKind, redaction).reason,
})
