import { compareText } from '../protocol/canonical.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { headOf } from './contract.ts'
import type { Contract, Response } from './model.ts'
import { cutAt } from './quoted.ts'

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
}

/** Whoever has to answer them reads the rest in the contract. */
const MOST = 5
const COMMENT_LENGTH = 1000
const CHANGE_LENGTH = 2000

/** Of each repo the last answer, where that is none of agreement; newest first. */
export function objectionsTo(contract: Contract, repoName: (repoId: string) => string): Objection[] {
  const { id } = headOf(contract)
  const last = new Map<string, Response>()
  for (const one of contract.responses) if (one.revision === id) last.set(one.repo_id, one)
  return [...last.values()]
    .sort((a, b) => compareText(b.timestamp, a.timestamp) || compareText(b.response_id, a.response_id))
    .flatMap(({ action, ...one }) => (action === 'agree' ? [] : [{ ...one, action }]))
    .slice(0, MOST)
    .map(({ repo_id, agent_id, action, comment, suggested_change, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      action,
      comment: cutAt(comment, COMMENT_LENGTH),
      suggestedChange: suggested_change === null ? null : cutAt(textOf(suggested_change), CHANGE_LENGTH),
      at: timestamp,
    }))
}

const textOf = (change: NonNullable<Response['suggested_change']>): string =>
  typeof change === 'string' ? change : JSON.stringify(change)
