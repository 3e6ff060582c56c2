import type { Stamp } from '../../protocol/stamp.ts'
import type { VerificationResult } from '../../protocol/words.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import { newestFirst } from '../views/by.ts'
import type { ContractEntity, VerificationEntity } from '../views/entities.ts'

/** A party's findings from verifying that the implementations work together. */
export interface Finding {
  readonly repo: string
  readonly agentId: string
  readonly result: VerificationResult
  /** Cut if it is long. */
  readonly notes: string
  /** Cut too; as JSON text if it is no text. */
  readonly details: string | null
  readonly at: Stamp
}

/** Limits for the inbox; the contract has the rest. */
const MOST_FINDINGS = 5
const NOTES_LENGTH = 1000
const DETAILS_LENGTH = 2000

/** Verifications of the present work with the result partial. */
export const partialsOf = ({ verifications, works }: ContractEntity): VerificationEntity[] =>
  verifications.filter(
    ({ result, judged }) =>
      result === 'partial' && judged.some(({ work }) => works.some(({ id }) => id === work)),
  )

/** Newest first. */
export const findingsFrom = (
  found: readonly VerificationEntity[],
  repoName: (repoId: string) => string,
): Finding[] =>
  found
    .toSorted(newestFirst)
    .slice(0, MOST_FINDINGS)
    .map(({ repo_id, agent_id, result, notes, failure_details, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      result,
      notes: cutAt(notes, NOTES_LENGTH),
      details: failure_details === null ? null : cutAt(textOf(failure_details), DETAILS_LENGTH),
      at: timestamp,
    }))
