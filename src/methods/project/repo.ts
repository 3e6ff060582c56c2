import * as z from 'zod'
import { memberOf, openProjectOf, repoNamed, repoOfAgent } from '../../domain/lookup.ts'
import { repoCalled } from '../../domain/names/find-by-name.ts'
import { askIn } from '../../domain/project/joining-advice.ts'
import { asFounder, isSignedHere, mayActFor } from '../../domain/repo/acting-for.ts'
import { isLost } from '../../domain/repo/lost-claim.ts'
import { confirmClaim, releaseRepo } from '../../domain/repo/repo.ts'
import { findHolder, findRestored, settleRepo, settlesBy } from '../../domain/repo/settling.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { ProjectWord, RepoWord } from '../../protocol/named.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'

/** Methods about who holds a repo. */

export const release = method({
  name: 'cacp/repo/release',
  summary: 'Give back a repository that an agent claimed, so that another one can join.',
  access: 'write',
  permission: 'project:write',
  params: z.object({
    projectId: ProjectWord,
    repoName: RepoWord.optional().describe('default: the repo you hold'),
  }),
  result: z.object({ repoId: z.string(), status: z.literal('released') }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: { repoId: EXAMPLE.repoId, status: 'released' },
  },
}).decide((view, { projectId, repoName }, env) => {
  const found = openProjectOf(view, projectId, env)
  const { caller, self } = env
  const { agentId } = caller
  const repo =
    repoName === undefined ? repoOfAgent(found, agentId, self.signer.keyId) : repoNamed(found, repoName)
  const lost = repo?.claims.find((one) => one.agent_id === agentId && isLost(one) && isSignedHere(one, self))
  const claim = lost ?? repo?.holder
  if (repo === undefined || claim === undefined)
    throw new Fault(
      'not_found',
      repoName === undefined
        ? `${agentId} holds no repo of project ${projectId}`
        : `Nobody holds a repo named ${repoName} in project ${projectId}`,
      {
        next: 'See who holds what with cacp/project/get',
        data: { projectId, call: { method: 'cacp/project/get', params: { projectId } } },
      },
    )
  if (!mayActFor(claim, env)) {
    if (repoOfAgent(found, agentId) === undefined) memberOf(found, env)
    throw new Fault(
      'conflict',
      `Repo ${repo.name} is claimed by ${claim.agent_id}, and only that agent or the operator of its daemon can release it`,
      {
        next: `Ask for it with cacp/context/askQuestion. If that agent is gone for good, invite the one that takes its place: cacpd invite --replace. If the repo is not that agent’s, ask ${found.project.created_by}, who founded the project, to call cacp/repo/settle`,
        data: {
          repoName: repo.name,
          agentId: claim.agent_id,
          call: askIn(projectId, `Please release repo ${repo.name}`),
        },
      },
    )
  }
  return {
    result: { repoId: repo.repo_id, status: 'released' },
    says: releaseRepo(found, repo, { claim, env }),
  }
})

export const settle = method({
  name: 'cacp/repo/settle',
  summary:
    'Say who holds a repository that several claimed, or that was taken by mistake: as the founder of the project, or as one vote of its members.',
  access: 'operator',
  params: z.object({
    projectId: ProjectWord,
    repoName: RepoWord,
    holder: z
      .string()
      .max(300)
      .nullable()
      .describe('agent ID or claim ID of one that claimed it; null: nobody, until somebody joins'),
    until: z
      .string()
      .max(64)
      .optional()
      .describe('what others said for the repo up to this time still counts (default: none of it)'),
    restore: z
      .string()
      .max(300)
      .optional()
      .describe(
        'agent ID or claim ID of one that dated its release or new key back, and so undid what it had said: that counts again, up to until (default: now)',
      ),
  }),
  result: z.object({
    repoId: z.string(),
    status: z.enum(['settled', 'voted']).describe('voted: it takes more than half of the members'),
    agentId: z.string().nullable().describe('who holds it now'),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, repoName: 'frontend-app', holder: EXAMPLE.agentId },
    result: { repoId: EXAMPLE.repoId, status: 'settled', agentId: EXAMPLE.agentId },
  },
}).decide((view, { projectId, repoName, holder, until, restore: restored }, env) => {
  const found = openProjectOf(view, projectId, env)
  const repo = repoCalled(found, repoName, (meant) => ({
    method: 'cacp/repo/settle',
    params: { projectId, repoName: meant, holder },
  }))
  const judge = settlesBy(found, repo, env)
  const claim = holder === null ? null : findHolder(found, repo, holder)
  const restore =
    restored === undefined ? undefined : findRestored(found, repo, { word: restored, holder: claim })
  const counting = until === undefined ? null : readUntil(until)
  const { repo_id: repoId } = repo
  const settlement = settleRepo(found, repo, { claim, until: counting, restore, by: judge, env })
  // A holder that the founder names in a settlement is as certain as one that it confirms.
  const isToConfirm = claim?.is_confirmed === false && asFounder(found, env) !== undefined
  const confirmation = isToConfirm
    ? [confirmClaim(found, judge, { about: repoId, id: claim.claim_id, at: settlement.at }, env)]
    : []
  return {
    says: [settlement, ...confirmation],
    tell: (after) => {
      const held = after.projects.get(projectId)?.repos.get(repoId)?.holder
      const isSettled = claim === null ? held === undefined : held?.speaks_by.key === claim.speaks_by.key
      return { repoId, status: isSettled ? 'settled' : 'voted', agentId: held?.agent_id ?? null }
    },
  }
})

function readUntil(until: string) {
  const stamp = parseStamp(until)
  if (stamp !== undefined && stamp >= '1970') return stamp
  throw wrongField('until', 'must be a time in ISO 8601, for example 2026-11-16T09:00:00Z')
}
