import * as z from 'zod'
import { acceptanceOf } from '../../domain/contract/acceptance.ts'
import {
  changeIt,
  namesOf,
  notParty,
  proposeAnew,
  refusal,
  wrongState,
} from '../../domain/contract/advice.ts'
import { contractIn, isPartyOf, mayAnswer, type Seat, seatAt } from '../../domain/contract/contract.ts'
import { dependenciesNamed, dependsOnField } from '../../domain/contract/dependencies.ts'
import { repoNames } from '../../domain/contract/next-step.ts'
import { partiesNamed, usualParties } from '../../domain/contract/parties.ts'
import { reviewBeside, reviewProposal } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { memberOf, openProjectOf } from '../../domain/lookup.ts'
import { nameTaken } from '../../domain/names/find-by-name.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { answer as answerKind, FINGERPRINT, FINGERPRINT_FORM } from '../../domain/statements/answer.ts'
import { revision as revisionKind } from '../../domain/statements/revision.ts'
import type { AnswerEntity } from '../../domain/views/entities.ts'
import type { Fault } from '../../protocol/fault.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { Content } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContractWord, ProjectWord } from '../../protocol/named.ts'
import { ContractStatus, ContractType, NewName, ResponseAction, Text } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { DependsOn, Detailed, PartyNames, PartyNamesResult } from '../shapes.ts'
import { expectVersion, ReadVersion, Unanswered, unansweredBy } from './fields.ts'

export const propose = method({
  name: 'cacp/contract/propose',
  summary: 'Propose a new interface contract.',
  ...changes('contract:propose'),
  params: z.object({
    projectId: ProjectWord,
    type: ContractType,
    name: NewName,
    content: Content.describe('the interface itself, in whatever schema fits its type'),
    parties: PartyNames.describe(
      'names of the repos that must agree to it and implement it; default: all that somebody has claimed, or, while that is yours alone, all repos of the project',
    ),
    dependsOn: DependsOn,
  }),
  result: z.object({
    contractId: z.string(),
    version: z.int(),
    status: ContractStatus,
    parties: PartyNamesResult,
    unanswered: Unanswered,
    hint: z.string().optional().describe('another contract has this name already'),
    review: ReviewField,
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      type: 'api_endpoint',
      name: 'Get User Profile',
      content: EXAMPLE.content,
    },
    result: {
      contractId: EXAMPLE.contractId,
      version: 1,
      status: 'proposed',
      parties: ['backend-api', 'frontend-app'],
      unanswered: ['frontend-app'],
    },
  },
}).decide((view, { projectId, type, name, content, parties, dependsOn = [] }, env) => {
  const found = openProjectOf(view, projectId, env)
  const { repo, speaksBy } = memberOf(found, env)
  const body = {
    version: 1,
    parent: null,
    parties: parties === undefined ? usualParties(found, repo.repo_id) : partiesNamed(found, parties),
    ...dependsOnField(dependenciesNamed(found, dependsOn)),
    type,
    name,
    nonce: env.newNonce(),
  }
  const first = speakIn(found, speaksBy, env)(revisionKind, { body, content: { value: content, note: '' } })
  const hint = nameTaken(found, { contractId: first.about, name })
  return {
    says: [first],
    result: {
      contractId: first.about,
      version: 1,
      status: 'proposed',
      parties: repoNames(found, body.parties),
      ...unansweredBy(
        found,
        body.parties.filter((party) => party !== repo.repo_id),
      ),
      ...(hint === undefined ? {} : { hint }),
      ...reviewProposal(type, content),
    },
  }
})

const ANSWERED = { agree: 'agreed', request_change: 'change_requested', reject: 'rejected' } as const

export const respond = method({
  name: 'cacp/contract/respond',
  summary: 'Respond to a contract proposal: agree, request_change or reject.',
  ...changes('contract:respond'),
  params: z.object({
    projectId: ProjectWord,
    contractId: ContractWord,
    action: ResponseAction,
    comment: Text.default(''),
    suggestedChange: Detailed.nullish(),
    accepts: z
      .union([
        z.literal('all'),
        z.array(z.string().regex(FINGERPRINT, FINGERPRINT_FORM)).max(LIMITS.listItems),
      ])
      .optional()
      .describe(
        'with agree: fingerprints of changes that hurt your repo and that it takes on itself, as review shows them, or "all" of them',
      ),
    version: ReadVersion,
  }),
  result: z.object({
    status: z.enum(['agreed', 'change_requested', 'rejected']),
    version: z.int(),
    contractVersion: z.int(),
    contractStatus: ContractStatus,
    objections: z.array(z.string()).optional().describe('names of the repos whose newest answer is no'),
    unanswered: Unanswered,
    retired: z.boolean().optional().describe('all agreed to its end: nothing of it is in force any more'),
    review: ReviewField,
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      contractId: EXAMPLE.contractId,
      action: 'agree',
      comment: 'Looks good!',
    },
    result: { status: 'agreed', version: 1, contractVersion: 1, contractStatus: 'agreed' },
  },
}).decide((view, { action, comment, suggestedChange, accepts, version, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const { contract, found, repo, speak } = seat
  expectVersion(seat, version)
  if (contract.is_withdrawn) throw wrongState(seat, 'answer', proposeAnew(seat))
  const { head } = contract
  if (!isPartyOf(head, repo.repo_id)) throw notParty(seat, head.needed)
  if (!mayAnswer(contract, repo.repo_id)) throw ownVersion(seat)
  const content = { comment, suggested_change: suggestedChange ?? null }
  const last = contract.answers.find(({ repo_id }) => repo_id === repo.repo_id)
  const acceptance = accepts === undefined ? undefined : acceptanceOf(seat, action, accepts)
  const isSaid = action === 'agree' && acceptance === undefined && last !== undefined && isSame(last, content)
  const body = { revision: head.id, action, ...acceptance }
  return {
    says: isSaid ? [] : [speak(answerKind, { about: contract.contract_id, body, content })],
    tell: (after) => {
      const { status, objections, unanswered, is_retired } = contractIn(after, target)
      return {
        status: ANSWERED[action],
        version: head.version,
        contractVersion: head.version,
        contractStatus: status,
        ...(objections.length === 0 ? {} : { objections: repoNames(found, objections) }),
        ...unansweredBy(found, unanswered),
        ...(is_retired ? { retired: true } : {}),
        // What was found in it is for its author, who heard of it with the proposal.
        ...(contract.in_force === undefined
          ? {}
          : reviewBeside({ found, contract, now: contractIn(after, target) }, head)),
      }
    },
  }
})

function ownVersion(seat: Seat): Fault {
  const { contract, repo } = seat
  return refusal(
    seat,
    `${repo.name} wrote version ${contract.head.version} of contract ${contract.contract_id} and cannot respond to itself`,
    changeIt(seat, `${whoseTurn(seat)}; to change it yourself call cacp/contract/update`),
  )
}

function whoseTurn(seat: Seat): string {
  const { unanswered, objections } = seat.contract
  if (unanswered.length > 0) return `${namesOf(seat, unanswered)} has to answer`
  if (objections.length > 0) return `${namesOf(seat, objections, 'and')} did not agree to it`
  return 'All have agreed to it'
}

/** Whether the answer repeats an earlier agree without new content, so that it adds nothing. */
function isSame(
  last: AnswerEntity,
  { comment, suggested_change }: Pick<AnswerEntity, 'comment' | 'suggested_change'>,
): boolean {
  return (
    last.action === 'agree' &&
    (comment === '' || comment === last.comment) &&
    (suggested_change === null || canonicalText(suggested_change) === canonicalText(last.suggested_change))
  )
}
