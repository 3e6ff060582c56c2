import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Naming, NextCall } from '../inbox/item.ts'
import { cutAt, textOf } from '../names/quoted.ts'
import type { AnswerEntity, ContractEntity } from '../views/entities.ts'

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
  /** The call that makes the suggested change the next version, where that could be a content as it is. */
  readonly accept?: NextCall
}

/** Whoever has to answer them reads the rest in the contract. */
const MOST = 5
const COMMENT_LENGTH = 1000
const CHANGE_LENGTH = 2000

type Objecting = AnswerEntity & { readonly action: Objection['action'] }

/** Of each party the last answer, where that is none of agreement; newest first. */
export const openAnswers = ({ answers }: Pick<ContractEntity, 'answers'>): Objecting[] =>
  answers
    .toSorted((a, b) => compareText(b.timestamp, a.timestamp) || compareText(b.id, a.id))
    .flatMap(({ action, ...one }) => (action === 'agree' ? [] : [{ ...one, action }]))

/** The same in the words of an inbox, of those who are asked for. */
export const objectionsTo = (
  contract: Pick<ContractEntity, 'contract_id' | 'answers' | 'head'>,
  { project, repoName }: Naming,
  isAsked: (repoId: string) => boolean = () => true,
): Objection[] =>
  openAnswers(contract)
    .filter(({ repo_id }) => isAsked(repo_id))
    .slice(0, MOST)
    .map(({ id, repo_id, agent_id, action, comment, suggested_change, timestamp }) => ({
      repo: repoName(repo_id),
      agentId: agent_id,
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
): NextCall => ({
  method: 'cacp/contract/update',
  params: { projectId, contractId, acceptSuggestion, version: head.version },
})
