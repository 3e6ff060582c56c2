import * as z from 'zod'
import { differencesOf, WHOLE_CONTENT } from '../../domain/contract/json-diff.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import { partiesBetween } from '../../domain/contract/parties.ts'
import { reviewChange } from '../../domain/contract/review.ts'
import { ContractReview } from '../../domain/contract/review-shape.ts'
import { contractOf, projectOf } from '../../domain/lookup.ts'
import { REDACTED_CONTENT } from '../../domain/render.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity, RevisionEntity } from '../../domain/views/entities.ts'
import type { Json } from '../../protocol/json/json.ts'
import { listOf, Sha256, Texts, When } from '../../protocol/words.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { Target } from '../shapes.ts'
import { revisionOf, Version, versionOf } from './fields.ts'

const Side = z.object({
  version: z.int(),
  revision: z.string(),
  proposedBy: z.string().describe('name of the repo'),
  at: When,
  changeNote: z.string(),
  agreed: z.boolean(),
  inForce: z.boolean(),
  retire: z.boolean().describe('what it proposes is the end of the contract'),
})

const Sides = z.object({
  fromVersion: Version.describe(
    'default: the version in force, or, where that is the newest, the one before',
  ),
  toVersion: Version.describe('default: the newest version'),
  fromRevision: Sha256.optional().describe(
    'instead of fromVersion, where two versions have the same number: the revision of one',
  ),
  toRevision: Sha256.optional().describe('the same instead of toVersion'),
})
type Sides = z.output<typeof Sides>

const JsonValue = z.custom<Json>().optional()

export const diff = method({
  name: 'cacp/contract/diff',
  summary: 'Show what differs between two versions of a contract.',
  ...readsProject,
  params: z
    .object({ ...Target, ...Sides.shape })
    .refine(({ fromVersion, fromRevision }) => fromVersion === undefined || fromRevision === undefined, {
      path: ['fromRevision'],
      error: 'goes with no fromVersion: leave one of them out',
    })
    .refine(({ toVersion, toRevision }) => toVersion === undefined || toRevision === undefined, {
      path: ['toRevision'],
      error: 'goes with no toVersion: leave one of them out',
    }),
  result: z.object({
    contractId: z.string(),
    name: z.string(),
    from: Side.nullable().describe('null: there is none before'),
    to: Side,
    differences: listOf(
      z.object({
        mark: z.enum(['+', '-', '~']).describe('only in the second, only in the first, another value'),
        path: z
          .string()
          .describe(
            'such as response.roles[2], counted in the second unless it is only in the first; empty: all of it',
          ),
        before: JsonValue,
        after: JsonValue,
      }),
    ),
    truncated: z
      .boolean()
      .optional()
      .describe(
        `there are more than ${WHOLE_CONTENT.listed}, or there are more than ${WHOLE_CONTENT.compared} values to compare`,
      ),
    parties: z
      .object({ added: Texts, removed: Texts })
      .optional()
      .describe('where others are parties of the second: their names'),
    review: ContractReview.optional().describe(
      'what the differences mean for consumers; left out without a first',
    ),
  }),
  example: {
    params: EXAMPLE.target,
    result: {
      contractId: EXAMPLE.contractId,
      name: 'Get User Profile',
      from: {
        version: 1,
        revision: EXAMPLE.revision,
        proposedBy: 'backend-api',
        at: EXAMPLE.time,
        changeNote: '',
        agreed: true,
        inForce: true,
        retire: false,
      },
      to: {
        version: 2,
        revision: EXAMPLE.revision.split('').reverse().join(''),
        proposedBy: 'frontend-app',
        at: EXAMPLE.time,
        changeNote: 'Made avatar field nullable',
        agreed: false,
        inForce: false,
        retire: false,
      },
      differences: [{ mark: '~', path: 'response.avatar', before: 'string', after: 'string or null' }],
      review: {
        form: 'http',
        against: { version: 1 },
        verdict: 'breaking',
        rollout: 'consumers_first',
        changes: [
          {
            at: 'response.200.body.avatar',
            kind: 'null-added',
            say: '«avatar» may be null now',
            fingerprint: '19eae4da5d96',
            verdict: 'breaking',
          },
        ],
        findings: [],
      },
    },
  },
}).decide((view, { projectId, contractId, ...asked }, env) => {
  const found = projectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const after = askedFor(contract, asked, 'to') ?? contract.head
  const before = askedFor(contract, asked, 'from') ?? usualBefore(contract, after)
  const { differences, isCut } = differencesOf(
    before === undefined ? {} : contentOf(before),
    contentOf(after),
  )
  const result = {
    contractId,
    name: contract.name,
    from: before === undefined ? null : sideOf(before, contract, found),
    to: sideOf(after, contract, found),
    differences,
    ...(isCut ? { truncated: true } : {}),
    ...(before === undefined
      ? {}
      : {
          ...partiesChanged(before, after, found),
          review: reviewChange({ found, contract, before, after, author: after.repo_id, isFixed: true }),
        }),
  }
  return { result, shows: { project_id: projectId, contracts: [contract] } }
})

/** Undefined where neither its version nor its revision was named. */
function askedFor(contract: ContractEntity, asked: Sides, side: 'from' | 'to'): RevisionEntity | undefined {
  const [version, revision] = [asked[`${side}Version`], asked[`${side}Revision`]]
  if (revision !== undefined) return revisionOf(contract, revision, `${side}Revision`)
  return version === undefined ? undefined : versionOf(contract, version, `${side}Version`)
}

function partiesChanged(before: RevisionEntity, after: RevisionEntity, found: ProjectView) {
  const parties = partiesBetween(before, after, (id) => repoName(found, id))
  return parties.added.length + parties.removed.length === 0 ? {} : { parties }
}

/** The revision in force, unless that is the one to compare with. */
function usualBefore(contract: ContractEntity, after: RevisionEntity): RevisionEntity | undefined {
  const inForce = contract.in_force?.revision
  if (inForce !== undefined && inForce.id !== after.id) return inForce
  return contract.history.revisions.find(({ id }) => id === after.parent)
}

const contentOf = ({ content }: RevisionEntity): Json => content ?? REDACTED_CONTENT

const sideOf = (
  { id, version, repo_id, timestamp, note, is_agreed, retire }: RevisionEntity,
  { in_force }: ContractEntity,
  found: ProjectView,
): z.output<typeof Side> => ({
  version,
  revision: id,
  proposedBy: repoName(found, repo_id),
  at: timestamp,
  changeNote: note,
  agreed: is_agreed,
  inForce: in_force?.revision.id === id,
  retire,
})
