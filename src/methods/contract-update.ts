import { z } from 'zod'
import { contractIn, isPartyOf, type Seat, seatAt } from '../domain/contract.ts'
import {
  changeIt,
  endProposal,
  notParty,
  proposeAnew,
  refusal,
  wrongState,
} from '../domain/contract-advice.ts'
import { partiesNamed } from '../domain/parties.ts'
import { nextVersion, suggestionIn } from '../domain/revise.ts'
import { Fault } from '../protocol/fault.ts'
import { Content, type JsonObject } from '../protocol/json.ts'
import { ContractStatus, Id, Sha256, Text } from '../protocol/words.ts'
import { EXAMPLE_CONTENT, EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID } from './examples.ts'
import { expectVersion, ReadVersion } from './read-version.ts'
import { method } from './row.ts'
import { PartyNames } from './shapes.ts'

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
      parties: PartyNames.describe(
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
