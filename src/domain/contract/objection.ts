import * as z from 'zod'
import { isJsonObject } from '../../protocol/json/json.ts'
import { NextCall } from '../../protocol/next-call.ts'
import { ResponseAction, When } from '../../protocol/words.ts'
import type { Naming } from '../inbox/item.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import { markOfPerson, newestFirst } from '../views/by.ts'
import type { AnswerEntity, ContractEntity } from '../views/entities.ts'

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
const MOST_OBJECTIONS = 5
const COMMENT_LENGTH = 1000
const CHANGE_LENGTH = 2000

type Objecting = AnswerEntity & { readonly action: Objection['action'] }

/** The newest answer of each party, if it is not agree; newest first. */
export const openAnswers = ({ answers }: Pick<ContractEntity, 'answers'>): Objecting[] =>
  answers
    .toSorted(newestFirst)
    .flatMap(({ action, ...one }) => (action === 'agree' ? [] : [{ ...one, action }]))

/** The open objections as inbox items list them, of the repos that are asked for. */
export const objectionsTo = (
  contract: Pick<ContractEntity, 'contract_id' | 'answers' | 'head'>,
  { project, repoName }: Naming,
  isAsked: (repoId: string) => boolean = () => true,
): Objection[] =>
  openAnswers(contract)
    .filter(({ repo_id }) => isAsked(repo_id))
    .slice(0, MOST_OBJECTIONS)
    .map(({ id, repo_id, agent_id, by_person, action, comment, suggested_change, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
      ...markOfPerson({ by_person }),
      action,
      comment: cutAt(comment, COMMENT_LENGTH),
      suggestedChange: suggested_change === null ? null : cutAt(textOf(suggested_change), CHANGE_LENGTH),
      at: timestamp,
      answerId: id,
      ...(isJsonObject(suggested_change) ? { accept: acceptCall(project.project_id, contract, id) } : {}),
    }))

const acceptCall = (
  projectId: string,
  { contract_id: contractId, head }: Pick<ContractEntity, 'contract_id' | 'head'>,
  acceptSuggestion: string,
): Objection['accept'] => ({
  method: 'cacp/contract/update',
  params: { projectId, contractId, acceptSuggestion, version: head.version },
})
