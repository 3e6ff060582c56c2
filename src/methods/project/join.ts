import * as z from 'zod'
import { withoutRepo } from '../../domain/contract/lost-repo.ts'
import type { Env } from '../../domain/env.ts'
import { membership, openProjectOf, repoNamed, repoOfAgent } from '../../domain/lookup.ts'
import { type Advice, askIn, howToJoin, joinAs, lostBy, noRepo } from '../../domain/project/joining-advice.ts'
import { hosting, isSignedHere, joining, mayActFor, speaksElsewhere } from '../../domain/repo/acting-for.ts'
import { assertRoomForRepo, moveRepo, taken, takeRepo, whoCanFree } from '../../domain/repo/repo.ts'
import type { Unsigned } from '../../domain/statements/say.ts'
import { repoIdOf } from '../../domain/statements/shared-fields.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { RepoEntity } from '../../domain/views/entities.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { ProjectWord, RepoWord } from '../../protocol/named.ts'
import { Endpoint, refusedAsName } from '../../protocol/words.ts'
import { changes, EXAMPLE, method } from '../row.ts'

export const join = method({
  name: 'cacp/project/join',
  summary: 'Join a project and claim a repository.',
  ...changes('project:write'),
  params: z.object({
    projectId: ProjectWord,
    repoName: RepoWord.optional().describe('default: your own repo'),
    agentEndpoint: Endpoint.optional(),
  }),
  result: z.object({
    repoId: z.string(),
    status: z.literal('joined'),
    projectName: z.string(),
    hint: z.string().optional().describe('what is still missing for the claim to count'),
  }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      repoName: 'frontend-app',
      agentEndpoint: 'http://frontend-agent:8081',
    },
    result: { repoId: EXAMPLE.repoId, status: 'joined', projectName: 'User Auth Feature' },
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
      ...(repo !== undefined && missingFor(found, repo, { claim: says[0], self })),
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
  const problem = 'required, because this agent has no repo of its own here'
  return wrongField('repoName', problem, { next, data: { call } })
}

/** Advice for a caller that wants a repo which somebody else holds. */
function insteadOf(repo: RepoEntity, found: ProjectView, env: Env): Advice {
  const { project } = found
  if (membership(found, env) !== undefined)
    return {
      next: `With cacp/context/askQuestion ${whoCanFree(project)}`,
      call: askIn(project.project_id, `Please release repo ${repo.name}`),
    }
  const lost = lostBy(env.self, repo)
  if (lost !== undefined) return withoutRepo(found, repo, { lost, env })
  const other = howToJoin(found, { ...env, caller: { ...env.caller, repoName: null } })
  return { ...other, next: `${other.next}. Or ${whoCanFree(project)}` }
}

/** An agent may join as its own repo without further ado; any other has to be named by a member. */
function assertMayBring(found: ProjectView, name: string, env: Env): void {
  const { project_id: projectId } = found.project
  const refusal = refusedAsName(name)
  if (refusal !== undefined) throw wrongField('repoName', refusal)
  if (name !== env.caller.repoName)
    throw noRepo(found, name, {
      field: 'repoName',
      // An agent that holds a repo cannot join as another one.
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

function assertClaimable(found: ProjectView, repo: RepoEntity, env: Env): void {
  const lost = lostBy(env.self, repo)
  if (lost === undefined) return
  const { next, call } = withoutRepo(found, repo, { lost, env })
  throw new Fault('conflict', `Repo ${repo.name} was taken from the agents of this daemon by a settlement`, {
    next,
    data: { repoName: repo.name, claimId: lost.claim_id, call },
  })
}

/** A claim by a daemon that lost the repo by a settlement has no effect until the founder confirms it. */
function missingFor(
  { project }: ProjectView,
  { claims, holder }: RepoEntity,
  { claim, self }: { claim: Unsigned | undefined; self: Env['self'] },
): { hint?: string } {
  const isInVain =
    holder === undefined &&
    project.founder.key !== self.signer.keyId &&
    claims.some((one) => one.standing === 'settled' && isSignedHere(one, self))
  if (!isInVain || claim === undefined) return {}
  const { created_by: founder } = project
  return {
    hint: `A settlement took this repo from the agents of this daemon: the claim counts when ${founder}, who founded the project, calls cacp/repo/settle with holder ${claim.id}`,
  }
}

/** The holder of the repo may repeat the call, also to change its endpoint. */
function moveTo(
  found: ProjectView,
  repo: RepoEntity,
  { endpoint, env }: { endpoint: string | undefined; env: Env },
): Unsigned[] {
  const { holder } = repo
  if (holder === undefined || endpoint === undefined || endpoint === repo.endpoint) return []
  if (!mayActFor(holder, env)) throw speaksElsewhere(holder, env)
  return [moveRepo(found, repo, { holder, endpoint }, env)]
}
