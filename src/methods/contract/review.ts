import * as z from 'zod'
import type { Seat } from '../../domain/contract/contract.ts'
import { reviewAlone, reviewChange, reviewContents } from '../../domain/contract/review.ts'
import { ContractReview } from '../../domain/contract/review-shape.ts'
import { TOLERANCES } from '../../domain/interface/model.ts'
import { contractOf, membership, projectOf } from '../../domain/lookup.ts'
import { Content } from '../../protocol/json/json.ts'
import { AnyProjectWord, ContractWord } from '../../protocol/named.ts'
import { ContractType } from '../../protocol/words.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { Places, Tolerances, Version, versionOf } from './fields.ts'

const ReviewParams = z.object({
  projectId: AnyProjectWord.optional().describe(
    'ID or name; default with contractId: the current project, or the only one',
  ),
  contractId: ContractWord.optional().describe('ID or name; instead of before and after'),
  content: Content.optional().describe('what an update would propose; default: the newest version'),
  from: Version.describe('the version to compare with; default: the one in force'),
  to: Version.describe('the version that is judged; default: the newest'),
  type: ContractType.optional().describe('of before and after; default: custom'),
  before: Content.optional().describe('the old content, of no contract here'),
  after: Content.optional().describe('the new content'),
  uses: Places.optional().describe(
    'with before and after: places that consumers use, such as response.200.body.email; default: all',
  ),
  tolerates: Tolerances.optional().describe(
    `with before and after: what does not hurt consumers: ${TOLERANCES.join(', ')}`,
  ),
})
type ReviewParams = z.output<typeof ReviewParams>

export const review = method({
  name: 'cacp/contract/review',
  summary: 'Say whether a change of a contract, or of any two contents, breaks consumers.',
  ...readsProject,
  params: ReviewParams.refine(isOneForm, {
    path: ['contractId'],
    error: 'required, with content, from and to as needed; or, in its place, before and after',
  }).refine(({ content, to }) => content === undefined || to === undefined, {
    path: ['to'],
    error: 'goes with no content: one of them is judged',
  }),
  result: ContractReview,
  example: {
    params: { projectId: EXAMPLE.projectId, contractId: EXAMPLE.contractId },
    result: {
      form: 'http',
      against: { version: 2 },
      verdict: 'breaking',
      rollout: 'consumers_first',
      changes: [
        {
          at: 'response.200.body.email',
          kind: 'property-removed',
          say: '«email» is not returned any more',
          fingerprint: '9c1e44d0a7b2',
          verdict: 'breaking',
          breaks: ['frontend-app'],
        },
      ],
      repos: [
        {
          repo: 'frontend-app',
          side: 'consumer',
          against: { version: 2 },
          verdict: 'breaking',
          because: ['9c1e44d0a7b2'],
          site: 'src/api/user.ts:41',
        },
      ],
      findings: [{ rule: 'no-error-response', at: 'response', say: 'no 4xx is described' }],
    },
  },
}).decide(
  (view, { projectId, contractId, type = 'custom', before, after, uses, tolerates, ...change }, env) => {
    if (before !== undefined && after !== undefined)
      return { result: reviewContents(type, before, after, { uses, tolerates }) }
    if (contractId === undefined || projectId === undefined)
      throw new TypeError('what is no pair is a contract, and that comes with its project')
    const found = projectOf(view, projectId, env)
    const contract = contractOf(found, contractId)
    return { result: reviewOf({ found, contract }, change, membership(found, env)?.repo.repo_id) }
  },
)

/** `caller` is the repo that asks, and so would propose the content. */
function reviewOf(
  { found, contract }: Pick<Seat, 'found' | 'contract'>,
  { content, from, to }: ReviewParams,
  caller: string | undefined,
): ContractReview {
  const before = from === undefined ? contract.in_force?.revision : versionOf(contract, from, 'from')
  const version = to === undefined ? contract.head : versionOf(contract, to, 'to')
  const after = content === undefined ? version : { content, retire: false }
  if (before === undefined) return reviewAlone(contract.type, after.content)
  const author = content === undefined ? version.repo_id : caller
  return reviewChange({ found, contract, before, after, author, isFixed: from !== undefined })
}

/** Either a contract with what is compared of it, or two contents that are of none. */
function isOneForm({ contractId, content, from, to, ...pair }: ReviewParams): boolean {
  const { before, after, type, uses, tolerates } = pair
  const ofContract = [contractId, content, from, to]
  const ofPair = [type, before, after, uses, tolerates]
  const isNone = (values: readonly unknown[]) => values.every((value) => value === undefined)
  return contractId === undefined
    ? isNone(ofContract) && before !== undefined && after !== undefined
    : isNone(ofPair)
}
