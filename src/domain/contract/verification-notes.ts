import * as z from 'zod'
import { VerificationResult, When } from '../../protocol/words.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import { markOfPerson, newestFirst } from '../views/by.ts'
import type { ContractEntity, VerificationEntity } from '../views/entities.ts'

/** A party's findings from verifying that the implementations work together. */
export const Finding = z.object({
  repo: z.string(),
  agentId: z.string(),
  byPerson: z.literal(true).optional().describe('a person found it, and not the agent'),
  result: VerificationResult,
  /** Cut if it is long. */
  notes: z.string(),
  /** Cut too. */
  details: z.string().nullable().describe('JSON text where it is not text already'),
  at: When,
})
export type Finding = z.output<typeof Finding>

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
    .map(({ repo_id, agent_id, by_person, result, notes, failure_details, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      ...markOfPerson({ by_person }),
      result,
      notes: cutAt(notes, NOTES_LENGTH),
      details: failure_details === null ? null : cutAt(textOf(failure_details), DETAILS_LENGTH),
      at: timestamp,
    }))
