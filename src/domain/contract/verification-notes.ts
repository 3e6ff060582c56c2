import { compareText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { VerificationResult } from '../../protocol/words.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import type { ContractEntity, VerificationEntity } from '../views/entities.ts'

/** What somebody found who tried whether the parts work together, in its own words. */
export interface Finding {
  readonly repo: string
  readonly agentId: string
  readonly result: VerificationResult
  /** The beginning of it, where it is long. */
  readonly notes: string
  /** The same; JSON text where it is not text already. */
  readonly details: string | null
  readonly at: Stamp
}

/** The contract has the rest. */
const MOST = 5
const NOTES_LENGTH = 1000
const DETAILS_LENGTH = 2000

/** Those who said of the work as it is that it does in part. */
export const partialsOf = ({ verifications, works }: ContractEntity): VerificationEntity[] =>
  verifications.filter(
    ({ result, judged }) =>
      result === 'partial' && judged.some(({ work }) => works.some(({ id }) => id === work)),
  )

/** Newest first. */
export const tellFindings = (
  found: readonly VerificationEntity[],
  repoName: (repoId: string) => string,
): Finding[] =>
  found
    .toSorted((a, b) => compareText(b.timestamp, a.timestamp) || compareText(b.id, a.id))
    .slice(0, MOST)
    .map(({ repo_id, agent_id, result, notes, failure_details, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      result,
      notes: cutAt(notes, NOTES_LENGTH),
      details: failure_details === null ? null : cutAt(textOf(failure_details), DETAILS_LENGTH),
      at: timestamp,
    }))
