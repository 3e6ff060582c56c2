import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Env, Self } from '../env.ts'
import { repoNamed } from '../lookup.ts'
import type { RepoDescription } from '../model.ts'
import type { Advice } from '../project/joining-advice.ts'
import { speakIn } from '../speaking/speaking.ts'
import { claim as claimKind } from '../statements/claim.ts'
import { confirmation as confirmationKind } from '../statements/confirmation.ts'
import { description as descriptionKind } from '../statements/description.ts'
import { release as releaseKind } from '../statements/release.ts'
import { repo as repoKind } from '../statements/repo.ts'
import {
  type Speaking,
  type SpeaksBy,
  sayFirst,
  speaksByOf,
  timeToSay,
  type Unsigned,
} from '../statements/say.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { isSignedHere } from './acting-for.ts'

/** Statements that name, claim, confirm, describe and release repos. */

/** What these statements need to know of a project, which may be about to be founded. */
type Place = Pick<ProjectView, 'newestAbout'>

/** Names a repo. Its id comes from its name, so that a repo named on both sides of a partition is one repo. */
export function nameRepo(
  place: Place,
  by: SpeaksBy,
  named: RepoDescription & { readonly name: string },
  env: Speaking,
): Unsigned {
  const speak = speakIn(place, by, env)
  return speak(repoKind, { about: repoIdOf(by.project_id, named.name), body: { ...named } })
}

export interface ClaimRequest {
  readonly projectId: string
  readonly repoName: string
  readonly agentId: string
  readonly endpoint: string | null
  /** Whether this daemon signs on behalf of that agent, which signs nothing itself. */
  readonly isReported: boolean
}

/** Claims a repo for an agent, with the key of this daemon. */
export function claimRepo(
  place: Place,
  { projectId, repoName, agentId, endpoint, isReported }: ClaimRequest,
  env: Pick<Env, 'self'> & Speaking,
): Unsigned {
  const { self, now } = env
  const about = repoIdOf(projectId, repoName)
  const body = {
    public_key: self.signer.publicKey,
    agent_id: agentId,
    endpoint,
    repo_name: repoName,
    ...(isReported ? { reported_by: self.agentId } : {}),
  }
  return sayFirst(
    claimKind,
    { project_id: projectId, about, at: timeToSay(now, place.newestAbout(about)), body },
    env,
  )
}

/**
 * Claims a repo for an agent with the key of this daemon. If this daemon founded the project, it confirms the claim
 * at once; a repo that nobody named yet is described as well.
 */
export function takeRepo(
  view: View,
  found: ProjectView,
  request: Omit<ClaimRequest, 'projectId'>,
  env: Pick<Env, 'self'> & Speaking,
): Unsigned[] {
  const { project_id: projectId, founder } = found.project
  const repo = repoNamed(found, request.repoName)
  const claim = claimRepo(found, { projectId, ...request }, env)
  const says = [claim]
  if (founder.key === env.self.signer.keyId && repo?.holder === undefined)
    says.push(confirmClaim(found, founder, claim, env))
  if (repo === undefined) {
    const about = describeRepo({ name: request.repoName, relevantPaths: [] }, view, env.self)
    const by = speaksByOf(claim)
    says.push(describeOwn(found, { ...claim, by }, { ...about, endpoint: request.endpoint }, env))
  }
  return says
}

interface GivenRepo {
  readonly name: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  readonly relevantPaths: readonly string[]
  readonly url?: string | null | undefined
}

/** The description of a repo that is added; missing fields are what its own daemon says, if that is known here. */
export function describeRepo(given: GivenRepo, view: View, self: Self): RepoDescription {
  const { role, language } = given.name === self.repo ? self : (aboutPeer(given.name, view) ?? NOTHING_KNOWN)
  return {
    role: given.role ?? role,
    language: given.language ?? language,
    relevant_paths: given.relevantPaths,
    url: given.url ?? null,
  }
}

const NOTHING_KNOWN = { role: 'shared', language: 'unknown' }

/** Undefined if several daemons have this name, because nobody knows which is meant. */
function aboutPeer(repoName: string, { peers }: View): typeof NOTHING_KNOWN | undefined {
  const named = [...peers.oldestFirst()].filter(
    ({ repo_name, trust }) => repo_name === repoName && trust === 'approved',
  )
  return named.length === 1 ? named[0]?.about : undefined
}

/** Confirms, as the founder, that this claim arrived first. */
export const confirmClaim = (
  place: Place,
  founder: SpeaksBy,
  { about, id, at }: Pick<Unsigned, 'about' | 'id' | 'at'>,
  env: Speaking,
): Unsigned => speakIn(notBefore(place, at), founder, env)(confirmationKind, { about, body: { claim: id } })

/** The description that a repo's own agent gives, right after the claim or later. */
export function describeOwn(
  place: Place,
  { about, at, by }: { readonly about: string; readonly at: Unsigned['at']; readonly by: SpeaksBy },
  described: RepoDescription & { readonly endpoint: string | null; readonly shown_name?: string },
  env: Speaking,
): Unsigned {
  const speak = speakIn(notBefore(place, at), by, env)
  return speak(descriptionKind, { about, body: { ...described } })
}

/** Describes a repo with a new endpoint and otherwise unchanged. */
export function moveRepo(
  found: ProjectView,
  repo: RepoEntity,
  { holder: { speaks_by: by }, endpoint }: { holder: ClaimEntity; endpoint: string },
  env: Speaking,
): Unsigned {
  const { role, language, relevant_paths, url, name, shown_name } = repo
  const renamed = shown_name === name ? {} : { shown_name }
  const said = { role, language, relevant_paths, url, endpoint, ...renamed }
  return describeOwn(found, { about: repo.repo_id, at: by.since, by }, said, env)
}

/** New descriptions for the repos of this daemon's agents after its endpoint changed. */
export function moveFrom(
  { projects }: View,
  before: string,
  { self, ...env }: Speaking & Pick<Env, 'self'>,
): Unsigned[] {
  const says: Unsigned[] = []
  for (const found of projects.oldestFirst()) {
    if (found.project.archived) continue
    for (const repo of found.repos.oldestFirst()) {
      const { holder, endpoint } = repo
      // An agent that gave another endpoint did not move with the daemon.
      if (holder !== undefined && endpoint === before && isSignedHere(holder, self))
        says.push(moveRepo(found, repo, { holder, endpoint: self.endpoint }, env))
    }
  }
  return says
}

/** Releases a claim, and all others by which the same daemon holds the repo: a restored one may have claimed again. */
export function releaseRepo(
  found: ProjectView,
  { repo_id, claims }: RepoEntity,
  { claim: { agent_id, standing }, env }: { claim: ClaimEntity; env: Env },
): Unsigned[] {
  return claims
    .filter(
      (one) =>
        one.released_at === undefined &&
        one.agent_id === agent_id &&
        one.standing === standing &&
        isSignedHere(one, env.self),
    )
    .map(({ speaks_by }) => speakIn(found, speaks_by, env)(releaseKind, { about: repo_id, body: {} }))
}

/** Advice on who can release a repo that somebody else holds. */
export const whoCanFree = ({ created_by }: ProjectView['project']): string =>
  `ask that agent to call cacp/repo/release, or, if it is not that agent’s, ask ${created_by}, who founded the project, to call cacp/repo/settle`

/** The fault of claiming a repo that somebody else holds. */
export const taken = (
  { name, holder }: RepoEntity,
  { project }: ProjectView,
  { next, call }: Advice = { next: `Join as another repo, ${whoCanFree(project)}` },
): Fault =>
  new Fault('conflict', `Repo ${name} is already claimed by ${holder?.agent_id ?? 'nobody'}`, {
    next,
    data: { repoName: name, agentId: holder?.agent_id, call },
  })

/** The limit counts per daemon, so that no daemon can use up the repos of others. */
export function assertRoomForRepo(found: ProjectView, { signer }: Self): void {
  if (reposBroughtTo(found, { key: signer.keyId, isReported: false }) < LIMITS.repos) return
  const { project_id: projectId } = found.project
  throw new Fault(
    'too_large',
    `This daemon has brought ${LIMITS.repos} repos to project ${projectId} already, which is the limit`,
    { next: 'Take out those that are not needed with cacp/project/removeRepo', data: { projectId } },
  )
}

/** How many repos a key has named or claimed: for its own agents, or on behalf of agents that sign nothing. */
export function reposBroughtTo(
  { repos, said }: Pick<ProjectView, 'repos' | 'said'>,
  { key, isReported }: { readonly key: string; readonly isReported: boolean },
): number {
  const isReport = (introduction = '') => said.fact(introduction)?.body['reported_by'] !== undefined
  let count = 0
  for (const { namings, claims } of repos.oldestFirst()) {
    const isNamed = namings.some((id) => {
      const naming = said.fact(id)
      return naming?.key === key && isReport(naming.under) === isReported
    })
    const isClaimed = ({ speaks_by, reported_by }: ClaimEntity) =>
      speaks_by.key === key && (reported_by !== undefined) === isReported
    if (isNamed || claims.some(isClaimed)) count++
  }
  return count
}

const notBefore = (place: Place, at: Unsigned['at']): Place => ({
  newestAbout: (id) => {
    const newest = place.newestAbout(id)
    return newest === undefined || newest < at ? at : newest
  },
})
