import * as z from 'zod'
import { isOver } from '../../domain/contract/next-step.ts'
import type { Env } from '../../domain/env.ts'
import { memberOf, membership, openProjectOf, repoNamed, repoOfAgent } from '../../domain/lookup.ts'
import { repoCalled } from '../../domain/names/find-by-name.ts'
import { askIn, joinAs } from '../../domain/project/joining-advice.ts'
import { asFounder, isSignedHere, mayActFor } from '../../domain/repo/acting-for.ts'
import { isLost } from '../../domain/repo/lost-claim.ts'
import {
  assertRoomForRepo,
  confirmClaim,
  describeRepo,
  nameRepo,
  releaseRepo,
} from '../../domain/repo/repo.ts'
import { findHolder, findRestored, settleRepo, settlesBy } from '../../domain/repo/settling.ts'
import { speakIn } from '../../domain/speaking/speaking.ts'
import { removal as removalKind } from '../../domain/statements/removal.ts'
import type { SpeaksBy } from '../../domain/statements/say.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { filtered, firstOf } from '../../protocol/collections/iterables.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { ProjectWord, RepoWord } from '../../protocol/named.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import { Texts } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'
import { RepoInput } from '../shapes.ts'

export const release = method({
  name: 'cacp/repo/release',
  summary: 'Give back a repository that an agent claimed, so that another one can join.',
  ...changes('project:write'),
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

export const addRepo = method({
  name: 'cacp/project/addRepo',
  summary: 'Add a repository to a project.',
  ...changes('project:write'),
  params: RepoInput.extend({ projectId: ProjectWord }),
  result: z.object({ repoId: z.string(), status: z.literal('added'), repoCount: z.int() }),
  example: {
    params: { projectId: EXAMPLE.projectId, name: 'mobile-app', role: 'mobile', language: 'kotlin' },
    result: { repoId: EXAMPLE.repoId, status: 'added', repoCount: 3 },
  },
}).decide((view, { projectId, ...given }, env) => {
  const found = openProjectOf(view, projectId, env)
  if (repoNamed(found, given.name) !== undefined) throw alreadyThere(found, given.name, env)
  assertRoomForRepo(found, env.self)
  const about = describeRepo(given, view, env.self)
  const naming = nameRepo(found, namesBy(found, env), { name: given.name, ...about }, env)
  return {
    result: { repoId: naming.about, status: 'added', repoCount: found.repos.size + 1 },
    says: [naming],
  }
})

/** A caller without a repo may have wanted this one; for all others there is nothing left to do. */
function alreadyThere(found: ProjectView, repoName: string, env: Env): Fault {
  const { project_id: projectId } = found.project
  const isFree = repoNamed(found, repoName)?.holder === undefined
  const { next, call } =
    isFree && membership(found, env) === undefined
      ? { next: 'Claim it with cacp/project/join', call: joinAs(projectId, repoName) }
      : {
          next: 'Nothing is left to do: cacp/project/get shows it, and who holds it',
          call: { method: 'cacp/project/get', params: { projectId } },
        }
  return new Fault('conflict', `Project ${projectId} already has a repo named ${repoName}`, {
    next,
    data: { projectId, repoName, call },
  })
}

/** What a caller names repos by: as a member, or else as the founder. */
function namesBy(found: ProjectView, env: Env): SpeaksBy {
  const { founder } = found.project
  const own = membership(found, env)?.speaksBy
  return own ?? (founder.key === env.self.signer.keyId ? founder : memberOf(found, env).speaksBy)
}

export const removeRepo = method({
  name: 'cacp/project/removeRepo',
  summary: 'Take a repository out of a project that nobody holds, or that you hold yourself.',
  ...changes('project:write'),
  params: z.object({ projectId: ProjectWord, repoName: RepoWord }),
  result: z.object({
    repoId: z.string(),
    status: z.literal('removed'),
    repoCount: z.int(),
    partyOf: Texts.optional().describe(
      'names of contracts that it was a party of, the first 20: they wait for it no more',
    ),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, repoName: 'mobile-app' },
    result: { repoId: EXAMPLE.repoId, status: 'removed', repoCount: 2 },
  },
}).decide((view, { projectId, repoName }, env) => {
  const found = openProjectOf(view, projectId, env)
  const repo = repoCalled(found, repoName)
  const { repo_id: repoId, holder, name } = repo
  if (holder !== undefined && !mayActFor(holder, env)) {
    if (repoOfAgent(found, env.caller.agentId) === undefined) memberOf(found, env)
    throw new Fault(
      'conflict',
      `Repo ${name} is claimed by ${holder.agent_id}, and only that agent can take it out`,
      {
        next: 'Ask that agent with cacp/context/askQuestion to call cacp/repo/release first',
        data: {
          projectId,
          repoName: name,
          agentId: holder.agent_id,
          call: askIn(projectId, `Please release repo ${name}`),
        },
      },
    )
  }
  const partyOf = contractsOf(found, repoId)
  const by = holder?.speaks_by ?? namesBy(found, env)
  const speak = speakIn(found, by, env)
  return {
    says: [
      ...repo.namings.map((naming) => speak(removalKind, { about: repoId, body: { naming } })),
      ...(holder === undefined ? [] : releaseRepo(found, repo, { claim: holder, env })),
    ],
    tell: (after) => ({
      repoId,
      status: 'removed',
      repoCount: after.projects.get(projectId)?.repos.size ?? 0,
      ...(partyOf.length === 0 ? {} : { partyOf }),
    }),
  }
})

const MOST_CONTRACTS_LISTED = 20

function contractsOf({ contracts }: ProjectView, repoId: string): string[] {
  const isItsOwn = (one: ContractEntity) => !isOver(one) && one.head.needed.includes(repoId)
  return firstOf(filtered(contracts.oldestFirst(), isItsOwn), MOST_CONTRACTS_LISTED).map(({ name }) => name)
}
