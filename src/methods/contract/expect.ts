import * as z from 'zod'
import { proposeAnew, wrongState } from '../../domain/contract/advice.ts'
import { contractIn, seatAt } from '../../domain/contract/contract.ts'
import { assertFew, assertPlaces, expectedAfter } from '../../domain/contract/expectation.ts'
import { reviewBeside } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { sideOf } from '../../domain/contract/side.ts'
import { unusedOf } from '../../domain/contract/unused.ts'
import { SIDES, TOLERANCES } from '../../domain/interface/model.ts'
import { contractOf, projectOf } from '../../domain/lookup.ts'
import { expectation as expectationKind, Sites } from '../../domain/statements/expectation.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { Texts } from '../../protocol/words.ts'
import { changes, EXAMPLE, method, readsProject } from '../row.ts'
import { Target } from '../shapes.ts'
import { Places, Tolerances } from './fields.ts'

export const expect = method({
  name: 'cacp/contract/expect',
  summary:
    'Say what your repo uses of a contract, and what it can live with. What you leave out stays as it was.',
  ...changes('contract:respond'),
  params: z
    .object({
      ...Target,
      side: z
        .enum(SIDES)
        .nullish()
        .describe('where your repo stands; default: as its role says, null: as its role says again'),
      uses: Places.nullish().describe(
        'places in the contract, such as response.200.body.email; all that is inside counts, null: all of the contract',
      ),
      tolerates: Tolerances.optional().describe(
        `what does not hurt your repo in what it gets: ${TOLERANCES.join(', ')}`,
      ),
      sites: Sites.optional().describe('by place, the file and line that use it, such as src/api/user.ts:41'),
    })
    .refine(
      (given) => [given.side, given.uses, given.tolerates, given.sites].some((one) => one !== undefined),
      { path: ['uses'], error: 'required, or side, tolerates or sites' },
    ),
  result: z.object({
    contractId: z.string(),
    repo: z.string().describe('its name'),
    side: z.enum(SIDES),
    uses: Texts.nullable(),
    tolerates: Texts,
    sites: z.record(z.string(), z.string()).readonly(),
    review: ReviewField,
  }),
  example: {
    params: { ...EXAMPLE.target, uses: ['response.200.body.email'], tolerates: ['new_enum_values'] },
    result: {
      contractId: EXAMPLE.contractId,
      repo: 'frontend-app',
      side: 'consumer',
      uses: ['response.200.body.email'],
      tolerates: ['new_enum_values'],
      sites: {},
    },
  },
}).decide((view, { projectId, contractId, ...said }, env) => {
  const target = { projectId, contractId }
  const seat = seatAt(view, target, env)
  const { contract, found, repo, speak } = seat
  if (contract.is_withdrawn) throw wrongState(seat, 'expect anything of', proposeAnew(seat))
  assertPlaces(contract, said)
  const before = contract.expectations.find(({ repo_id }) => repo_id === repo.repo_id)
  const expected = expectedAfter(before, said)
  assertFew(contract, expected)
  const { side, uses, tolerates, sites } = expected
  const isSaid = before !== undefined && canonicalText(expectedAfter(before, {})) === canonicalText(expected)
  const { id: revision } = contract.in_force?.revision ?? contract.head
  const body = { register: '', revision, side, uses, tolerates, sites }
  return {
    says: isSaid ? [] : [speak(expectationKind, { about: contract.contract_id, body })],
    tell: (after) => {
      const now = contractIn(after, target)
      return {
        contractId,
        repo: repo.name,
        side: side ?? sideOf(repo),
        uses,
        tolerates,
        sites,
        ...(now.in_force === undefined ? {} : reviewBeside({ found, contract: now }, now.head)),
      }
    },
  }
})

export const unused = method({
  name: 'cacp/contract/unused',
  summary: 'List what of a contract no consumer says that it uses.',
  ...readsProject,
  params: z.object(Target),
  result: z.object({
    contractId: z.string(),
    version: z.int().describe('the one in force, else the newest'),
    unused: Texts.describe('places, at most 200; none while no consumer said what it uses'),
    heard: Texts.describe('consumers that said what they use'),
    silent: Texts.describe('consumers that did not, and so may use any of it'),
    truncated: z.boolean().optional(),
  }),
  example: {
    params: EXAMPLE.target,
    result: {
      contractId: EXAMPLE.contractId,
      version: 2,
      unused: ['response.200.body.avatar'],
      heard: ['frontend-app'],
      silent: [],
    },
  },
}).decide((view, { projectId, contractId }, env) => {
  const found = projectOf(view, projectId, env)
  return { result: { contractId, ...unusedOf(found, contractOf(found, contractId)) } }
})
