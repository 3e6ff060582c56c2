import { z } from 'zod'
import type { Env } from '../domain/env.ts'
import { asOwnFounder, hosting, isOfHome, joining, mayActFor, speaksElsewhere } from '../domain/home.ts'
import { type Advice, askIn, howToJoin, joinAs, noRepo } from '../domain/joining-advice.ts'
import { memberOf, membership, openProjectOf, projectOf, repoNamed, repoOfAgent } from '../domain/lookup.ts'
import { isLost } from '../domain/lost-claim.ts'
import {
  assertRoomForRepo,
  claimRepo,
  confirmClaim,
  describeOwn,
  nameRepo,
  taken,
  whoCanFree,
} from '../domain/repo.ts'
import { describeRepo } from '../domain/repo-about.ts'
import { speakIn } from '../domain/speaking.ts'
import { project as projectKind } from '../domain/statements/project.ts'
import { type SpeaksBy, sayFounding, speaksByOf, type Unsigned } from '../domain/statements/say.ts'
import { title as titleKind } from '../domain/statements/title.ts'
import { repoIdOf } from '../domain/statements/words.ts'
import { takeRepo } from '../domain/take-repo.ts'
import type { ProjectView, View } from '../domain/view.ts'
import type { RepoEntity } from '../domain/views/entities.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { AnyProjectWord, ProjectWord, RepoWord } from '../protocol/named.ts'
import { Endpoint, NewName, refusedAsName, Text, Visibility } from '../protocol/words.ts'
import { EXAMPLE_PROJECT_ID, EXAMPLE_REPO_ID } from './examples.ts'
import { method } from './row.ts'
import { RepoInput } from './shapes.ts'

export const create = method({
  name: 'cacp/project/create',
  summary: 'Create a new coordination project.',
  access: 'write',
  params: z.object({
    name: NewName,
    objective: Text,
    repos: z.array(RepoInput).max(LIMITS.repos).optional().describe('default: the repo you act for'),
    visibility: Visibility.default('all').describe('members: only peers whose repo is named here get it'),
  }),
  result: z.object({
    projectId: z.string(),
    status: z.literal('created'),
    repoCount: z.int(),
    hint: z.string().optional(),
  }),
  example: {
    params: {
      name: 'User Auth Feature',
      objective: 'Implement OAuth 2.0 login across frontend and backend',
      repos: [
        { name: 'backend-api', role: 'backend', language: 'python' },
        { name: 'frontend-app', role: 'frontend', language: 'typescript' },
      ],
    },
    result: { projectId: EXAMPLE_PROJECT_ID, status: 'created', repoCount: 2 },
  },
}).decide((view, { name, objective, repos, visibility }, env) => {
  const { caller, self } = env
  const acting = caller.repoName
  const wanted = repos ?? (acting === null ? [] : [{ name: acting, relevantPaths: [] }])
  const names = wanted.map((repo) => repo.name)
  const twice = names.find((repo, index) => names.indexOf(repo) !== index)
  if (twice !== undefined)
    throw new Fault('invalid_params', `repos: ${twice} is named twice`, { data: { field: 'repos' } })

  const founding = found({ name, objective, visibility }, env)
  const founder = speaksByOf(founding)
  const { project_id: projectId } = founding
  const namings = wanted.map((given) =>
    nameRepo(NOWHERE_YET, founder, { name: given.name, ...describeRepo(given, view, self) }, env),
  )
  const isMember = acting !== null && names.includes(acting)
  return {
    result: {
      projectId,
      status: 'created',
      repoCount: names.length,
      ...(isMember ? {} : { hint: hintForOutsider(acting) }),
    },
    says: [founding, ...namings, ...(isMember ? claimFirst(founder, acting, env) : [])],
  }
})

/** A project that is just coming into being. */
const NOWHERE_YET = { newestAbout: () => undefined }

function found(
  given: { name: string; objective: string; visibility: Visibility },
  { caller, self, now: at, newNonce }: Env,
): Unsigned {
  const { publicKey: public_key } = self.signer
  const reported = caller.kind === 'peer' ? { reported_by: self.agentId } : {}
  const body = { public_key, agent_id: caller.agentId, ...given, nonce: newNonce(), ...reported }
  return sayFounding(projectKind, { at, body }, { self })
}

function claimFirst(founder: SpeaksBy, repoName: string, env: Env): Unsigned[] {
  const { kind, agentId } = env.caller
  const endpoint = agentId === env.self.agentId ? env.self.endpoint : null
  const request = { projectId: founder.project_id, repoName, agentId, endpoint, isReported: kind === 'peer' }
  const claim = claimRepo(NOWHERE_YET, request, env)
  return [claim, confirmClaim(NOWHERE_YET, founder, claim, env)]
}

function hintForOutsider(acting: string | null): string {
  return acting === null
    ? 'You hold no repo of this project yet: call cacp/project/join with the repoName you work in'
    : `Your repo ${acting} is not among its repos: add it with cacp/project/addRepo, or start cacpd with --repo NAME if it goes by another name`
}

export const join = method({
  name: 'cacp/project/join',
  summary: 'Join a project and claim a repository.',
  access: 'write',
  permission: 'project:write',
  params: z.object({
    projectId: ProjectWord,
    repoName: RepoWord.optional().describe('default: your own repo'),
    agentEndpoint: Endpoint.optional(),
  }),
  result: z.object({ repoId: z.string(), status: z.literal('joined'), projectName: z.string() }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      repoName: 'frontend-app',
      agentEndpoint: 'http://frontend-agent:8081',
    },
    result: { repoId: EXAMPLE_REPO_ID, status: 'joined', projectName: 'User Auth Feature' },
  },
}).decide((view, { projectId, repoName, agentEndpoint }, given) => {
  const found = openProjectOf(view, projectId, given)
  const wanted = repoName ?? given.caller.repoName
  const env = joining(given, wanted)
  const { caller, self } = env
  if (wanted === null) throw repoNameRequired(found, env)
  const repo = repoNamed(found, wanted)
  if (repo === undefined) assertMayBring(found, wanted, env)
  const held = repoOfAgent(found, caller.agentId, self.signer.keyId)
  if (repo?.holder !== undefined && repo.holder.agent_id !== caller.agentId)
    throw taken(repo, found, insteadOf(repo, found, env))
  if (held !== undefined && held.name !== wanted)
    throw new Fault('conflict', `${caller.agentId} already holds repo ${held.name} of project ${projectId}`, {
      next: 'Release it with cacp/repo/release, or name another agent in X-Agent-ID',
      data: {
        projectId,
        repoName: held.name,
        call: { method: 'cacp/repo/release', params: { projectId, repoName: held.name } },
      },
    })
  const local = hosting(view, env)
  const says =
    repo?.holder?.agent_id === caller.agentId
      ? moveTo(found, repo, { endpoint: agentEndpoint, env })
      : claimIn(view, found, { repo, repoName: wanted, endpoint: agentEndpoint, env })
  return {
    result: {
      repoId: repoIdOf(projectId, wanted),
      status: 'joined',
      projectName: found.project.name,
    },
    says,
    local,
  }
})

function repoNameRequired(found: ProjectView, env: Env): Fault {
  const { project_id: projectId } = found.project
  const own = membership(found, env)
  const { next, call } =
    own === undefined
      ? howToJoin(found, env)
      : {
          next: `Call cacp/project/join with repoName ${own.repo.name}, which you hold`,
          call: joinAs(projectId, own.repo.name),
        }
  return new Fault('invalid_params', 'repoName: required, because this agent has no repo of its own here', {
    next,
    data: { field: 'repoName', ...(call === undefined ? {} : { call }) },
  })
}

/** What one can do that wants a repo which somebody else holds. */
function insteadOf({ name }: RepoEntity, found: ProjectView, env: Env): Advice {
  const { project } = found
  if (membership(found, env) !== undefined)
    return {
      next: `With cacp/context/askQuestion ${whoCanFree(project)}`,
      call: askIn(project.project_id, `Please release repo ${name}`),
    }
  const other = howToJoin(found, { ...env, caller: { ...env.caller, repoName: null } })
  return { ...other, next: `${other.next}. Or ${whoCanFree(project)}` }
}

/** Its own repo an agent brings with it; any other has to be named by a member. */
function assertMayBring(found: ProjectView, name: string, env: Env): void {
  const { project_id: projectId } = found.project
  const refusal = refusedAsName(name)
  if (refusal !== undefined)
    throw new Fault('invalid_params', `repoName: ${refusal}`, { data: { field: 'repoName' } })
  if (name !== env.caller.repoName)
    throw noRepo(found, name, {
      field: 'repoName',
      // Whoever holds one cannot join as another.
      ...(membership(found, env) === undefined && { retry: (repoName) => joinAs(projectId, repoName) }),
    })
  assertRoomForRepo(found, env.self)
}

interface Joining {
  readonly repo: RepoEntity | undefined
  readonly repoName: string
  readonly endpoint: string | undefined
  readonly env: Env
}

function claimIn(view: View, found: ProjectView, { repo, repoName, endpoint, env }: Joining): Unsigned[] {
  if (repo !== undefined) assertClaimable(found, repo, env)
  const isReported = env.caller.kind === 'peer'
  const place = endpoint ?? (isReported ? null : env.self.endpoint)
  return takeRepo(view, found, { repoName, agentId: env.caller.agentId, endpoint: place, isReported }, env)
}

function assertClaimable(found: ProjectView, repo: RepoEntity, { self }: Env): void {
  const lost = repo.claims.find((one) => isLost(one) && isOfHome(one, self))
  if (lost === undefined) return
  const { created_by: founder } = found.project
  throw new Fault('conflict', `Repo ${repo.name} was taken from the agents of this daemon by a settlement`, {
    next: `Ask ${founder}, who founded the project, to call cacp/repo/settle with holder ${lost.claim_id}`,
    data: { repoName: repo.name, claimId: lost.claim_id },
  })
}

/** Whoever holds the repo already may repeat the call, and say that it is somewhere else now. */
function moveTo(
  found: ProjectView,
  repo: RepoEntity,
  { endpoint, env }: { endpoint: string | undefined; env: Env },
): Unsigned[] {
  const { holder, role, language, relevant_paths, url, name, shown_name } = repo
  if (holder === undefined || endpoint === undefined || endpoint === repo.endpoint) return []
  if (!mayActFor(holder, env)) throw speaksElsewhere(holder, env)
  const renamed = shown_name === name ? {} : { shown_name }
  const said = { role, language, relevant_paths, url, endpoint, ...renamed }
  const { speaks_by: by } = holder
  return [describeOwn(found, { about: repo.repo_id, at: by.since, by }, said, env)]
}

export const archive = method({
  name: 'cacp/project/archive',
  summary: 'Archive a project: it stays readable, leaves the list and takes no more changes.',
  access: 'write',
  permission: 'project:write',
  params: z.object({
    projectId: AnyProjectWord,
    archived: z.boolean().default(true).describe('false brings it back'),
  }),
  result: z.object({ projectId: z.string(), status: z.enum(['archived', 'active']) }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID },
    result: { projectId: EXAMPLE_PROJECT_ID, status: 'archived' },
  },
}).decide((view, { projectId, archived }, env) => {
  const found = projectOf(view, projectId, env)
  const { project } = found
  const by =
    membership(found, env)?.speaksBy ?? asOwnFounder(found, env) ?? memberOf(view, found, env).speaksBy
  const result = { projectId, status: archived ? ('archived' as const) : ('active' as const) }
  if (project.archived === archived) return { result }
  const body = { field: 'archived' as const, value: archived }
  return { result, says: [speakIn(found, by, env)(titleKind, { about: projectId, body })] }
})
