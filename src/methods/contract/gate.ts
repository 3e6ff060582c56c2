import * as z from 'zod'
import { bringIntoForce, wrongState } from '../../domain/contract/advice.ts'
import { seatAt } from '../../domain/contract/contract.ts'
import type { Env } from '../../domain/env.ts'
import { memberOf, membership, projectOf } from '../../domain/lookup.ts'
import { EVIDENCE_TO_GIVE, GRADES } from '../../domain/proof/evidence.ts'
import { checkGate, repoToCheck } from '../../domain/proof/gate.ts'
import { GATE_ANSWERS, GateRow } from '../../domain/proof/gate-shape.ts'
import { merged as mergedKind } from '../../domain/statements/merged.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { RepoEntity } from '../../domain/views/entities.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContractWord, ProjectWord, RepoWord } from '../../protocol/named.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { Target } from '../shapes.ts'

export const check = method({
  name: 'cacp/gate/check',
  summary: 'Say whether a repo may merge its part of the contracts of a project: yes, no or unknown.',
  access: 'read',
  permission: 'gate:read',
  params: z.object({
    projectId: ProjectWord,
    repo: RepoWord.optional().describe('name of the repo; default: your own'),
    contractId: ContractWord.optional().describe('ID or name; default: all contracts of the repo'),
    require: z
      .enum(GRADES)
      .default('ran')
      .describe(
        'how well a verification has to be founded: somebody claimed it, ran it, or requests were observed',
      ),
  }),
  result: z.object({
    projectId: z.string(),
    repo: z.string(),
    answer: z.enum(GATE_ANSWERS).describe('the worst of the rows; yes where there is none'),
    rows: z.array(GateRow).describe('the worst first, at most 1,000'),
    truncated: z.boolean().optional(),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      projectId: EXAMPLE.projectId,
      repo: 'backend-api',
      answer: 'unknown',
      rows: [
        {
          contractId: EXAMPLE.contractId,
          name: 'Get User Profile',
          version: 2,
          answer: 'unknown',
          code: 'not_verified',
          say: 'Nobody has verified version 2 as it is now',
          ask: ['backend-api', 'frontend-app'],
          next: {
            method: 'cacp/implementation/verify',
            params: { ...EXAMPLE.target, result: 'success', evidence: EVIDENCE_TO_GIVE },
            fill: ['result', 'evidence'],
          },
        },
      ],
    },
  },
  prepare: (services) => services.trees.refresh(),
}).decide((view, { projectId, repo: name, contractId, require }, env) => {
  const found = projectOf(view, projectId, env)
  const repo = repoAsked(found, name, env)
  const { answer, rows } = checkGate({ found, repo, contractId, require })
  return {
    result: {
      projectId,
      repo: repo.name,
      answer,
      rows: rows.slice(0, LIMITS.pageItems),
      ...(rows.length > LIMITS.pageItems ? { truncated: true } : {}),
    },
  }
})

/** The repo of the caller, unless another one is named. A token may be of no repo, and has to name one. */
function repoAsked(found: ProjectView, name: string | undefined, env: Env): RepoEntity {
  if (name === undefined) return (membership(found, env) ?? memberOf(found, env)).repo
  return repoToCheck(found, name)
}

export const merged = method({
  name: 'cacp/implementation/merged',
  summary: 'Say that your main branch has the version in force of a contract.',
  ...changes('implementation:update'),
  params: z.object({
    ...Target,
    commit: z.string().min(1).max(LIMITS.nameLength).nullish().describe('the commit that brought it'),
  }),
  result: z.object({ status: z.literal('merged'), contractId: z.string(), version: z.int() }),
  example: {
    params: { ...EXAMPLE.target, commit: '9fceb02' },
    result: { status: 'merged', contractId: EXAMPLE.contractId, version: 2 },
  },
}).decide((view, { commit, ...target }, env) => {
  const seat = seatAt(view, target, env)
  const { contract, repo, speak } = seat
  if (contract.in_force === undefined) throw wrongState(seat, 'merge', bringIntoForce(seat))
  const { revision } = contract.in_force
  const before = contract.merged.find(({ repo_id }) => repo_id === repo.repo_id)
  const body = { register: '', revision: revision.id, commit: commit ?? null }
  const isSaid = before?.revision === body.revision && before.commit === body.commit
  return {
    result: { status: 'merged', contractId: contract.contract_id, version: revision.version },
    says: isSaid ? [] : [speak(mergedKind, { about: contract.contract_id, body })],
  }
})
