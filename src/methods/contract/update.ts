import * as z from 'zod'
import {
  changeIt,
  endProposal,
  notParty,
  onContract,
  proposeAnew,
  refusal,
  wrongState,
} from '../../domain/contract/advice.ts'
import {
  type ContractName,
  contractIn,
  isPartyOf,
  type Seat,
  seatAt,
} from '../../domain/contract/contract.ts'
import { assertOthers, circularDependencies, dependenciesNamed } from '../../domain/contract/dependencies.ts'
import { repoNames } from '../../domain/contract/next-step.ts'
import { partiesNamed } from '../../domain/contract/parties.ts'
import { type Kept, resolutionOf } from '../../domain/contract/resolve.ts'
import { reviewBeside } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { type NextVersion, nextVersion, restored, suggestedChangeIn } from '../../domain/contract/revise.ts'
import { listed } from '../../domain/names/listed.ts'
import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { Content, type JsonObject } from '../../protocol/json/json.ts'
import { ContractStatus, Flag, Sha256, Text } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { DependsOn, PartyNames, PartyNamesResult, Target } from '../shapes.ts'
import { expectVersion, ReadVersion, Unanswered, unansweredBy } from './fields.ts'

const Update = z.object({
  ...Target,
  content: Content.optional().describe('the whole new content; may be left out where something else changes'),
  acceptSuggestion: Sha256.optional().describe(
    'response_id of an answer whose suggested change becomes the content',
  ),
  retire: Flag.describe('once all agree, nothing of the contract is in force any more'),
  restore: Flag.describe(
    'drop what is proposed: what is in force becomes the newest version again, with its parties; alone, with a changeNote at most',
  ),
  parties: PartyNames.describe(
    'names of the repos that must agree to it and implement it; default: as before. Nobody is left out of a version in force without agreeing to it',
  ),
  addParties: PartyNames.describe('names of repos that become parties besides those that there are'),
  dependsOn: DependsOn,
  changeNote: Text.optional(),
  changeNotes: Text.optional().describe('the same as changeNote'),
  version: ReadVersion,
})
type Change = Omit<z.output<typeof Update>, 'projectId' | 'contractId' | 'version'>

export const update = method({
  name: 'cacp/contract/update',
  summary: 'Propose a new version of a contract; the one in force holds until it is agreed.',
  ...changes('contract:propose'),
  params: Update.refine((change) => change.restore || isOther(change), {
    path: ['content'],
    error: 'required',
  }).refine((change) => !change.restore || !isOther(change), {
    path: ['restore'],
    error: 'goes with no other change: leave that out',
  }),
  result: z.object({
    contractId: z.string(),
    version: z.int(),
    status: ContractStatus,
    parties: PartyNamesResult.optional().describe('where they change: their names'),
    unanswered: Unanswered,
    hint: z.string().optional(),
    review: ReviewField,
  }),
  example: {
    params: { ...EXAMPLE.target, content: EXAMPLE.content, changeNote: 'Made avatar field nullable' },
    result: { contractId: EXAMPLE.contractId, version: 2, status: 'proposed', unanswered: ['frontend-app'] },
  },
}).decide((view, { projectId, contractId, version, ...change }, env) => {
  const target = { projectId, contractId }
  const seat = seatAt(view, target, env)
  const { contract, found, repo } = seat
  expectVersion(seat, version)
  if (contract.is_withdrawn) throw wrongState(seat, 'update', proposeAnew(seat))
  if (!isPartyOf(contract.head, repo.repo_id)) throw notParty(seat, contract.head.needed)
  if (change.retire && contract.in_force === undefined) throw nothingToRetire(seat)
  const { head } = contract
  const note = change.changeNote ?? change.changeNotes
  const next = change.restore
    ? restored(seat, note)
    : nextVersion(seat, { ...changed(seat, change), note: note ?? '' })
  return {
    says: [next],
    tell: (after) => {
      const { status, head: written, unanswered } = contractIn(after, target)
      const ring = change.dependsOn === undefined ? [] : circleAfter(after, target)
      const namesParties = change.parties !== undefined || change.addParties !== undefined
      return {
        contractId,
        version: head.version + 1,
        status,
        ...(namesParties ? { parties: repoNames(found, written.parties) } : {}),
        ...unansweredBy(found, unanswered),
        ...(ring.length === 0 ? {} : { hint: circleHint(ring) }),
        ...reviewBeside(seat, written),
      }
    },
  }
})

function circleAfter(after: View, { projectId, contractId }: ContractName): string[] {
  const found = after.projects.get(projectId)
  return found === undefined ? [] : circularDependencies(found, contractId)
}

const MOST_CONTRACTS_NAMED = 10

const circleHint = (names: readonly string[]): string =>
  `${listed(names, MOST_CONTRACTS_NAMED)} depend on each other: none of them can be built before all are in force`

/** Whether something changes besides that what is proposed is dropped. */
function isOther({ content, acceptSuggestion, retire, parties, addParties, dependsOn }: Change): boolean {
  const said = [content, acceptSuggestion, parties, addParties, dependsOn]
  return retire || said.some((one) => one !== undefined)
}

function changed(seat: Seat, change: Change): Omit<NextVersion, 'note'> {
  const dependsOn = change.dependsOn && dependenciesNamed(seat.found, change.dependsOn)
  assertOthers(seat.contract.contract_id, dependsOn ?? [])
  return {
    content: newContent(seat, change),
    parties: newParties(seat, change),
    accepts: change.acceptSuggestion,
    retire: change.retire,
    dependsOn,
  }
}

function newParties({ found, contract }: Seat, { parties, addParties = [] }: Change): readonly string[] {
  const before = parties === undefined ? contract.head.parties : partiesNamed(found, parties)
  return [...new Set([...before, ...partiesNamed(found, addParties, 'addParties')])].sort(compareText)
}

function newContent(seat: Seat, { content, acceptSuggestion }: Change): JsonObject {
  const suggested = acceptSuggestion === undefined ? undefined : suggestedChangeIn(seat, acceptSuggestion)
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

const Choice = z.object({
  keep: z
    .enum(['winner', 'loser', 'content'])
    .describe('winner: what stands now; loser: what lost to it; content: what you send'),
  revision: z.string().max(64).optional().describe('with keep loser: which one, if several lost'),
  content: Content.optional().describe('with keep content'),
})

export const resolve = method({
  name: 'cacp/contract/resolve',
  summary: 'Settle the conflicts that updates on both sides of a partition left; makes a new version.',
  ...changes('contract:propose'),
  params: z.object({ ...Target, ...Choice.shape, changeNote: Text.default(''), version: ReadVersion }),
  result: z.object({
    contractId: z.string(),
    version: z.int(),
    status: ContractStatus,
    resolved: z.int().describe('how many losing revisions this settles'),
    review: ReviewField,
  }),
  example: {
    params: { ...EXAMPLE.target, keep: 'loser', changeNote: 'the avatar stays nullable' },
    result: { contractId: EXAMPLE.contractId, version: 3, status: 'proposed', resolved: 1 },
  },
}).decide((view, { projectId, contractId, version, changeNote: note, ...choice }, env) => {
  const target = { projectId, contractId }
  const seat = seatAt(view, target, env)
  const kept = contentToKeep(choice)
  expectVersion(seat, version)
  checkSides(seat)
  const resolution = resolutionOf(seat.contract, kept)
  return {
    says: [nextVersion(seat, { ...resolution, note })],
    tell: (after) => {
      const { head, status } = contractIn(after, target)
      return {
        contractId,
        version: head.version,
        status,
        resolved: resolution.resolves.length,
        ...reviewBeside(seat, head),
      }
    },
  }
})

/** A party of any side may resolve the conflict. */
function checkSides(seat: Seat): void {
  const { contract, repo } = seat
  const { head, conflicts, contract_id } = contract
  if (contract.is_withdrawn) throw wrongState(seat, 'resolve', proposeAnew(seat))
  if (![head, ...conflicts].some((side) => isPartyOf(side, repo.repo_id))) throw notParty(seat, head.needed)
  if (conflicts.length === 0)
    throw refusal(seat, `Contract ${contract_id} has no open conflict to settle`, {
      next: 'Nothing is left to do: cacp/contract/get shows what holds; to change that call cacp/contract/update',
      call: onContract(seat, 'cacp/contract/get'),
    })
}

/** Params that do not fit the chosen `keep` are a misunderstanding, and are refused. */
function contentToKeep({ keep, revision, content }: z.output<typeof Choice>): Kept {
  if (revision !== undefined && keep !== 'loser') throw misplaced('revision', 'is for keep loser only')
  if (content !== undefined && keep !== 'content') throw misplaced('content', 'is for keep content only')
  if (keep !== 'content') return { keep, revision }
  if (content === undefined) throw misplaced('content', 'required with keep content')
  return { keep, content }
}

function misplaced(field: string, problem: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, { data: { field } })
}
