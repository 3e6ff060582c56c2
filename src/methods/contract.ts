import { z } from 'zod'
import { contractIn, isPartyOf, mayAnswer, type Seat, seatAt } from '../domain/contract.ts'
import {
  changeIt,
  endProposal,
  namesOf,
  notParty,
  proposeAnew,
  refusal,
  wrongState,
} from '../domain/contract-advice.ts'
import { memberOf, openProjectOf } from '../domain/lookup.ts'
import { partiesNamed, usualParties } from '../domain/parties.ts'
import { nextVersion, suggestionIn } from '../domain/revise.ts'
import { answer as answerKind } from '../domain/statements/answer.ts'
import { contractIdOf } from '../domain/statements/certified-id.ts'
import { revision as revisionKind } from '../domain/statements/revision.ts'
import { say, timeToSay } from '../domain/statements/say.ts'
import type { AnswerEntity, ContractEntity } from '../domain/views/entities.ts'
import { canonicalText } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import { Content, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { ContractStatus, ContractType, Id, Name, ResponseAction, Sha256, Text } from '../protocol/words.ts'
import { EXAMPLE_CONTENT, EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID } from './examples.ts'
import { method } from './row.ts'
import { Detailed } from './shapes.ts'

const Parties = z.array(Name).min(1).max(LIMITS.repos).optional()

export const propose = method({
  name: 'cacp/contract/propose',
  summary: 'Propose a new interface contract.',
  access: 'write',
  permission: 'contract:propose',
  params: z.object({
    projectId: Id,
    type: ContractType,
    name: Name,
    content: Content.describe('the interface itself, in whatever schema fits its type'),
    parties: Parties.describe(
      'names of the repos that must agree to it and implement it; default: all that somebody has claimed, or, while that is yours alone, all repos of the project',
    ),
  }),
  result: z.object({ contractId: z.string(), version: z.int(), status: ContractStatus }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      type: 'api_endpoint',
      name: 'Get User Profile',
      content: EXAMPLE_CONTENT,
    },
    result: { contractId: EXAMPLE_CONTRACT_ID, version: 1, status: 'proposed' },
  },
}).decide((view, { projectId, type, name, content, parties }, env) => {
  const found = openProjectOf(view, projectId, env)
  const { repo, speaksBy } = memberOf(view, found, env)
  const at = timeToSay(env.now, undefined, speaksBy.since)
  const nonce = env.newNonce()
  const contractId = contractIdOf(projectId, { at, key: speaksBy.key, nonce })
  const body = {
    version: 1,
    parent: null,
    parties: parties === undefined ? usualParties(found, repo.repo_id) : partiesNamed(found, parties),
    type,
    name,
    nonce,
  }
  const first = say(
    revisionKind,
    speaksBy,
    { about: contractId, at, body, content: { value: content, note: '' } },
    env,
  )
  return { says: [first], result: { contractId, version: 1, status: 'proposed' } }
})

export const ReadVersion = z
  .int()
  .min(1)
  .optional()
  .describe('the version you read; refused when it has moved on since')

export function expectVersion({ contract_id, head }: ContractEntity, version: number | undefined): void {
  if (version !== undefined && version !== head.version)
    throw new Fault('conflict', `Contract ${contract_id} is at version ${head.version}, not ${version}`, {
      next: 'Read it again with cacp/contract/get',
      data: { contractId: contract_id, version: head.version },
    })
}

const ANSWERED = { agree: 'agreed', request_change: 'change_requested', reject: 'rejected' } as const

export const respond = method({
  name: 'cacp/contract/respond',
  summary: 'Respond to a contract proposal: agree, request_change or reject.',
  access: 'write',
  permission: 'contract:respond',
  params: z.object({
    projectId: Id,
    contractId: Id,
    action: ResponseAction,
    comment: Text.default(''),
    suggestedChange: Detailed.nullish(),
    version: ReadVersion,
  }),
  result: z.object({
    status: z.enum(['agreed', 'change_requested', 'rejected']),
    version: z.int(),
    contractVersion: z.int(),
    contractStatus: ContractStatus,
    unanswered: z.array(z.string()).optional().describe('names of the repos that still have to answer'),
  }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contractId: EXAMPLE_CONTRACT_ID,
      action: 'agree',
      comment: 'Looks good!',
    },
    result: { status: 'agreed', version: 1, contractVersion: 1, contractStatus: 'agreed' },
  },
}).decide((view, { action, comment, suggestedChange, version, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const { contract, found, repo, speak } = seat
  expectVersion(contract, version)
  if (contract.is_withdrawn) throw wrongState(seat, action, proposeAnew(seat))
  const { head } = contract
  if (!isPartyOf(head, repo.repo_id)) throw notParty(seat, head.needed)
  if (!mayAnswer(contract, repo.repo_id)) throw ownVersion(seat)
  const content = { comment, suggested_change: suggestedChange ?? null }
  const last = contract.answers.find(({ repo_id }) => repo_id === repo.repo_id)
  const isSaid = action === 'agree' && last !== undefined && isSame(last, content)
  const body = { revision: head.id, action }
  return {
    says: isSaid ? [] : [speak(answerKind, { about: contract.contract_id, body, content })],
    tell: (after) => {
      const { status, unanswered } = contractIn(after, target)
      const names = unanswered.map((id) => found.repos.get(id)?.name ?? id)
      return {
        status: ANSWERED[action],
        version: head.version,
        contractVersion: head.version,
        contractStatus: status,
        ...(names.length === 0 ? {} : { unanswered: names }),
      }
    },
  }
})

function ownVersion(seat: Seat): Fault {
  const { contract, repo } = seat
  const others = contract.head.needed.filter((id) => id !== repo.repo_id)
  return refusal(
    seat,
    `${repo.name} wrote version ${contract.head.version} of contract ${contract.contract_id} and cannot respond to itself`,
    changeIt(seat, `${namesOf(seat, others)} has to answer; to change it yourself call cacp/contract/update`),
  )
}

/** The same agree again, or with less beside it, tells nobody anything. */
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

export const update = method({
  name: 'cacp/contract/update',
  summary: 'Propose a new version of a contract; the one in force holds until it is agreed.',
  access: 'write',
  permission: 'contract:propose',
  params: z
    .object({
      projectId: Id,
      contractId: Id,
      content: Content.optional().describe(
        'the whole new content; may be left out with acceptSuggestion, retire or parties',
      ),
      acceptSuggestion: Sha256.optional().describe(
        'response_id of an answer whose suggested change becomes the content',
      ),
      retire: z
        .boolean()
        .default(false)
        .describe('once all agree, nothing of the contract is in force any more'),
      parties: Parties.describe(
        'names of the repos that must agree to it and implement it; default: as before. Nobody is left out of a version in force without agreeing to it',
      ),
      changeNote: Text.optional(),
      changeNotes: Text.optional().describe('the same as changeNote'),
      version: ReadVersion,
    })
    .refine(saysWhat, { path: ['content'], error: 'required' }),
  result: z.object({ contractId: z.string(), version: z.int(), status: ContractStatus }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contractId: EXAMPLE_CONTRACT_ID,
      content: EXAMPLE_CONTENT,
      changeNote: 'Made avatar field nullable',
    },
    result: { contractId: EXAMPLE_CONTRACT_ID, version: 2, status: 'proposed' },
  },
}).decide((view, { projectId, contractId, version, ...change }, env) => {
  const target = { projectId, contractId }
  const seat = seatAt(view, target, env)
  const { contract, found, repo } = seat
  expectVersion(contract, version)
  if (contract.is_withdrawn) throw wrongState(seat, 'update', proposeAnew(seat))
  if (!isPartyOf(contract.head, repo.repo_id)) throw notParty(seat, contract.head.needed)
  if (change.retire && contract.in_force === undefined) throw nothingToRetire(seat)
  const { head } = contract
  const next = nextVersion(seat, {
    content: newContent(seat, change),
    note: change.changeNote ?? change.changeNotes ?? '',
    parties: change.parties === undefined ? head.parties : partiesNamed(found, change.parties),
    accepts: change.acceptSuggestion,
    retire: change.retire,
  })
  return {
    says: [next],
    tell: (after) => ({
      contractId,
      version: head.version + 1,
      status: contractIn(after, target).status,
    }),
  }
})

interface Change {
  readonly content?: JsonObject | undefined
  readonly acceptSuggestion?: string | undefined
}

/** The content may stay as it is where something else changes. */
function saysWhat(change: Change & { readonly retire: boolean; readonly parties?: unknown }): boolean {
  const { content, acceptSuggestion, retire, parties } = change
  return retire || [content, acceptSuggestion, parties].some((one) => one !== undefined)
}

function newContent(seat: Seat, { content, acceptSuggestion }: Change): JsonObject {
  const suggested = acceptSuggestion === undefined ? undefined : suggestionIn(seat, acceptSuggestion)
  if (content !== undefined) return content
  if (suggested !== undefined) return suggested
  if (acceptSuggestion !== undefined)
    throw missing('content required: what that answer suggests is no JSON object that could be the content')
  if (seat.contract.head.content !== null) return seat.contract.head.content
  throw missing(`content required: that of version ${seat.contract.head.version} was taken away`)
}

const missing = (problem: string): Fault =>
  new Fault('invalid_params', problem, {
    next: 'Send the whole new content',
    data: { field: 'content' },
  })

const nothingToRetire = (seat: Seat): Fault =>
  refusal(
    seat,
    `Nothing of contract ${seat.contract.contract_id} is in force that could be retired`,
    seat.contract.is_retired
      ? changeIt(seat, 'Propose it anew with cacp/contract/update')
      : endProposal(seat),
  )
