import { z } from 'zod'
import { projectChange, repoChange } from '../domain/change.ts'
import { hosting, joining, mayActFor } from '../domain/home.ts'
import { memberOf, openProjectOf, projectOf, repoNamed, repoOfAgent } from '../domain/lookup.ts'
import { lostClaims } from '../domain/lost-claim.ts'
import type { Project } from '../domain/model.ts'
import { projectStamp } from '../domain/project.ts'
import { activeClaim, claimRepo, newRepo, releaseRepo } from '../domain/repo.ts'
import { describeRepo } from '../domain/repo-about.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { stampAfter } from '../protocol/stamp.ts'
import { Endpoint, Id, Name, Text, Visibility } from '../protocol/words.ts'
import { EXAMPLE_PROJECT_ID, EXAMPLE_REPO_ID } from './examples.ts'
import { method } from './row.ts'
import { RepoInput } from './shapes.ts'

export const create = method({
  name: 'cacp/project/create',
  summary: 'Create a new coordination project.',
  access: 'write',
  params: z.object({
    name: Name,
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
}).decide((view, { name, objective, repos, visibility }, { caller, self, now, newId }) => {
  const project: Project = {
    project_id: newId(),
    name: { value: name, at: now },
    objective: { value: objective, at: now },
    archived: { value: false, at: now },
    visibility,
    created_at: now,
    created_by: caller.agentId,
    extra: {},
  }
  const acting = caller.repoName
  const isSelf = caller.agentId === self.agentId
  const wanted = repos ?? (acting === null ? [] : [{ name: acting, relevantPaths: [] }])
  const names = wanted.map((repo) => repo.name)
  const twice = names.find((repo, index) => names.indexOf(repo) !== index)
  if (twice !== undefined)
    throw new Fault('invalid_params', `repos: ${twice} is named twice`, { data: { field: 'repos' } })

  const endpoint = isSelf ? self.endpoint : undefined
  const created = wanted.map((given) => {
    const repo = newRepo(project.project_id, given.name, describeRepo(given, view, self), now)
    return given.name === acting ? claimRepo(repo, { project, agentId: caller.agentId, endpoint, now }) : repo
  })
  const isMember = acting !== null && names.includes(acting)
  return {
    result: {
      projectId: project.project_id,
      status: 'created',
      repoCount: created.length,
      ...(isMember ? {} : { hint: hintForOutsider(acting) }),
    },
    changes: [projectChange(project), ...created.map((repo) => repoChange(project.project_id, repo))],
  }
})

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
    projectId: Id,
    repoName: Name.optional().describe('default: your own repo'),
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
  const { caller, self, now } = env
  if (wanted === null)
    throw new Fault('invalid_params', 'repoName: required, because this agent has no repo of its own here', {
      data: { field: 'repoName' },
    })
  const repo = repoNamed(found, wanted)
  if (repo === undefined)
    throw new Fault('not_found', `Project ${projectId} has no repo named ${wanted}`, {
      next: `Its repos: ${Array.from(found.repos.oldestFirst(), (one) => one.name).join(', ') || 'none'}. Add one with cacp/project/addRepo`,
      data: { projectId, repoName: wanted },
    })
  const held = repoOfAgent(found, caller.agentId)
  if (held !== undefined && held.repo_id !== repo.repo_id)
    throw new Fault('conflict', `${caller.agentId} already holds repo ${held.name} of project ${projectId}`, {
      next: 'Release it with cacp/repo/release, or name another agent in X-Agent-ID',
      data: { projectId, repoName: held.name },
    })
  const local = hosting(view, env)
  const endpoint = agentEndpoint ?? (caller.kind === 'peer' ? undefined : self.endpoint)
  const claimed = claimRepo(repo, { project: found.project, agentId: caller.agentId, endpoint, now })
  return {
    result: { repoId: repo.repo_id, status: 'joined', projectName: found.project.name.value },
    changes: claimed === repo ? [] : [repoChange(projectId, claimed)],
    local,
  }
})

export const addRepo = method({
  name: 'cacp/project/addRepo',
  summary: 'Add a repository to a project.',
  access: 'write',
  permission: 'project:write',
  params: RepoInput.extend({ projectId: Id }),
  result: z.object({ repoId: z.string(), status: z.literal('added'), repoCount: z.int() }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, name: 'mobile-app', role: 'mobile', language: 'kotlin' },
    result: { repoId: EXAMPLE_REPO_ID, status: 'added', repoCount: 3 },
  },
}).decide((view, { projectId, ...given }, env) => {
  const found = openProjectOf(view, projectId, env)
  if (repoNamed(found, given.name) !== undefined)
    throw new Fault('conflict', `Project ${projectId} already has a repo named ${given.name}`, {
      next: 'Claim it with cacp/project/join',
      data: { projectId, repoName: given.name },
    })
  if (found.repos.size >= LIMITS.repos)
    throw new Fault('too_large', `Project ${projectId} already has ${LIMITS.repos} repos, which is the limit`)
  const repo = newRepo(projectId, given.name, describeRepo(given, view, env.self), env.now)
  return {
    result: { repoId: repo.repo_id, status: 'added', repoCount: found.repos.size + 1 },
    changes: [repoChange(projectId, repo)],
  }
})

export const archive = method({
  name: 'cacp/project/archive',
  summary: 'Archive a project: it stays readable, leaves the list and takes no more changes.',
  access: 'write',
  permission: 'project:write',
  params: z.object({ projectId: Id, archived: z.boolean().default(true).describe('false brings it back') }),
  result: z.object({ projectId: z.string(), status: z.enum(['archived', 'active']) }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID },
    result: { projectId: EXAMPLE_PROJECT_ID, status: 'archived' },
  },
}).decide((view, { projectId, archived }, env) => {
  const found = projectOf(view, projectId, env)
  if (env.caller.kind !== 'operator') memberOf(view, found, env)
  const { project } = found
  const result = { projectId, status: archived ? ('archived' as const) : ('active' as const) }
  if (project.archived.value === archived) return { result }
  const at = stampAfter(env.now, projectStamp(project))
  return { result, changes: [projectChange({ ...project, archived: { value: archived, at } })] }
})

export const release = method({
  name: 'cacp/repo/release',
  summary: 'Give back a repository that an agent claimed, so that another one can join.',
  access: 'write',
  permission: 'project:write',
  params: z.object({ projectId: Id, repoName: Name.optional().describe('default: the repo you hold') }),
  result: z.object({ repoId: z.string(), status: z.literal('released') }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID },
    result: { repoId: EXAMPLE_REPO_ID, status: 'released' },
  },
}).decide((view, { projectId, repoName }, env) => {
  const found = openProjectOf(view, projectId, env)
  const { agentId } = env.caller
  const repo = repoName === undefined ? repoOfAgent(found, agentId) : repoNamed(found, repoName)
  const claim =
    repo && (lostClaims(repo, found.project).get(agentId)?.lost ?? activeClaim(repo, found.project))
  if (repo === undefined || claim === undefined)
    throw new Fault(
      'not_found',
      repoName === undefined
        ? `${agentId} holds no repo of project ${projectId}`
        : `Nobody holds a repo named ${repoName} in project ${projectId}`,
      {
        next: 'See who holds what with cacp/project/get',
        data: { projectId },
      },
    )
  if (!mayActFor(view, claim, env))
    throw new Fault(
      'conflict',
      `Repo ${repo.name} is claimed by ${claim.agent_id}, and only that agent or the operator of its daemon can release it`,
      {
        next: 'If that agent is gone for good, invite the one that takes its place: cacpd invite --replace',
        data: { repoName: repo.name, agentId: claim.agent_id },
      },
    )
  return {
    result: { repoId: repo.repo_id, status: 'released' },
    changes: [repoChange(projectId, releaseRepo(repo, claim, env.now))],
  }
})
