import * as z from 'zod'
import { isJsonObject } from '../../protocol/json/json.ts'
import { NextCall } from '../../protocol/next-call.ts'
import { ResponseAction, VerificationResult, When } from '../../protocol/words.ts'
import type { Naming } from '../inbox/item.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import { markOfPerson, newestFirst } from '../views/by.ts'
import type { AnswerEntity, ContractEntity, VerificationEntity } from '../views/entities.ts'

/** A party's open objection to the head of a contract. */
export const Objection = z.object({
  repo: z.string(),
  agentId: z.string(),
  byPerson: z.literal(true).optional().describe('a person objects, and not the agent'),
  action: ResponseAction.exclude(['agree']),
  /** Cut if it is long. */
  comment: z.string(),
  /** Cut too. */
  suggestedChange: z.string().nullable().describe('JSON text where it is not text already'),
  at: When,
  answerId: z.string().describe('for acceptSuggestion of cacp/contract/update'),
  /** Only if the suggestion is a JSON object. */
  accept: NextCall.optional().describe('the call that makes the suggested change the next version'),
})
export type Objection = z.output<typeof Objection>

/** Limits for the inbox; the contract has the rest. */
const MOST_LISTED = 5
const COMMENT_LENGTH = 1000
const JSON_LENGTH = 2000

type Objecting = AnswerEntity & { readonly action: Objection['action'] }

/** The newest answer of each party, if it is not agree; newest first. */
export const openAnswers = ({ answers }: Pick<ContractEntity, 'answers'>): Objecting[] =>
  answers
    .toSorted(newestFirst)
    .flatMap(({ action, ...one }) => (action === 'agree' ? [] : [{ ...one, action }]))

/** The open objections as inbox items list them, of the repos that are asked for. */
export function objectionsTo(
  contract: Pick<ContractEntity, 'contract_id' | 'answers' | 'head'>,
  { project: { project_id: projectId }, repoName }: Naming,
  isAsked: (repoId: string) => boolean = () => true,
): Objection[] {
  const { contract_id: contractId, head } = contract
  const acceptCall = (acceptSuggestion: string): NextCall => ({
    method: 'cacp/contract/update',
    params: { projectId, contractId, acceptSuggestion, version: head.version },
  })
  return openAnswers(contract)
    .filter(({ repo_id }) => isAsked(repo_id))
    .slice(0, MOST_LISTED)
    .map(({ id, repo_id, agent_id, by_person, action, comment, suggested_change, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      ...markOfPerson({ by_person }),
      action,
      comment: cutAt(comment, COMMENT_LENGTH),
      suggestedChange: suggested_change === null ? null : cutAt(textOf(suggested_change), JSON_LENGTH),
      at: timestamp,
      answerId: id,
      ...(isJsonObject(suggested_change) ? { accept: acceptCall(id) } : {}),
    }))
}

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
    .slice(0, MOST_LISTED)
    .map(({ repo_id, agent_id, by_person, result, notes, failure_details, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      ...markOfPerson({ by_person }),
      result,
      notes: cutAt(notes, COMMENT_LENGTH),
      details: failure_details === null ? null : cutAt(textOf(failure_details), JSON_LENGTH),
      at: timestamp,
    }))
