import * as z from 'zod'
import { notParty, onContract, proposeAnew, refusal, wrongState } from '../../domain/contract/advice.ts'
import { contractIn, isPartyOf, type Seat, seatAt } from '../../domain/contract/contract.ts'
import { type Kept, resolutionOf } from '../../domain/contract/resolve.ts'
import { reviewBeside } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { nextVersion } from '../../domain/contract/revise.ts'
import { Fault } from '../../protocol/fault.ts'
import { Content, type JsonObject } from '../../protocol/json/json.ts'
import { ContractStatus, Text } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'
import { Target } from '../shapes.ts'
import { expectVersion, ReadVersion } from './versions.ts'

const Keep = z.enum(['winner', 'loser', 'content'])

export const resolve = method({
  name: 'cacp/contract/resolve',
  summary: 'Settle the conflicts that updates on both sides of a partition left; makes a new version.',
  access: 'write',
  permission: 'contract:propose',
  params: z.object({
    ...Target,
    keep: Keep.describe('winner: what stands now; loser: what lost to it; content: what you send'),
    revision: z.string().max(64).optional().describe('with keep loser: which one, if several lost'),
    content: Content.optional().describe('with keep content'),
    changeNote: Text.default(''),
    version: ReadVersion,
  }),
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

interface Choice {
  keep: z.output<typeof Keep>
  revision?: string | undefined
  content?: JsonObject | undefined
}

/** Params that do not fit the chosen `keep` are a misunderstanding, and are refused. */
function contentToKeep({ keep, revision, content }: Choice): Kept {
  if (revision !== undefined && keep !== 'loser') throw misplaced('revision', 'is for keep loser only')
  if (content !== undefined && keep !== 'content') throw misplaced('content', 'is for keep content only')
  if (keep !== 'content') return { keep, revision }
  if (content === undefined) throw misplaced('content', 'required with keep content')
  return { keep, content }
}

function misplaced(field: string, problem: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, { data: { field } })
}
