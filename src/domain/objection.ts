import { compareText } from '../protocol/canonical.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { cutAt, textOf } from './quoted.ts'
import type { ContractEntity } from './views/entities.ts'

/** What somebody holds against a contract as it stands, in its own words. */
export interface Objection {
  readonly repo: string
  readonly agentId: string
  readonly action: 'request_change' | 'reject'
  /** The beginning of it, where it is long. */
  readonly comment: string
  /** The same; JSON text where it is not text already. */
  readonly suggestedChange: string | null
  readonly at: Stamp
  /** For cacp/contract/update with acceptSuggestion. */
  readonly answerId: string
}

/** Whoever has to answer them reads the rest in the contract. */
const MOST = 5
const COMMENT_LENGTH = 1000
const CHANGE_LENGTH = 2000

/** Of each party the last answer, where that is none of agreement; newest first. */
export const objectionsTo = (
  { answers }: Pick<ContractEntity, 'answers'>,
  repoName: (repoId: string) => string,
): Objection[] =>
  answers
    .toSorted((a, b) => compareText(b.timestamp, a.timestamp) || compareText(b.id, a.id))
    .flatMap(({ action, ...one }) => (action === 'agree' ? [] : [{ ...one, action }]))
    .slice(0, MOST)
    .map(({ id, repo_id, agent_id, action, comment, suggested_change, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      action,
      comment: cutAt(comment, COMMENT_LENGTH),
      suggestedChange: suggested_change === null ? null : cutAt(textOf(suggested_change), CHANGE_LENGTH),
      at: timestamp,
      answerId: id,
    }))
