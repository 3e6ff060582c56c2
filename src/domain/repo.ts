import { compareText, derivedUuid } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import { latest, type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { Claim, Project, Repo, RepoDescription } from './model.ts'

/** The id follows from the name, so that a repo added on both sides of a partition is one repo. */
export function newRepo(projectId: string, name: string, about: RepoDescription, now: Stamp): Repo {
  return {
    repo_id: derivedUuid('repo', projectId, name),
    name,
    about: { value: about, at: now },
    claims: [],
    extra: {},
  }
}

/** The earliest claim that counts. */
export function activeClaim(repo: Repo, project: Project): Claim | undefined {
  return standingClaims(repo, project)[0]
}

/** Claims that were not released, earliest first; one dated before the project existed does not count. */
export function standingClaims(repo: Repo, project: Project): Claim[] {
  return repo.claims.filter((claim) => claim.released_at === null && claim.claimed_at >= project.created_at)
}

export function repoStamp({ about, claims }: Repo): Stamp {
  let newest = about.at
  for (const { claimed_at, endpoint, released_at } of claims)
    newest = latest([newest, claimed_at, endpoint.at, released_at ?? newest])
  return newest
}

export interface ClaimRequest {
  project: Project
  agentId: string
  /** Undefined leaves an endpoint that was given before as it is. */
  endpoint: string | undefined
  now: Stamp
}

/** Claims a repo for an agent. The agent that holds it already may repeat the call, and move its endpoint. */
export function claimRepo(repo: Repo, { project, agentId, endpoint, now }: ClaimRequest): Repo {
  const held = activeClaim(repo, project)
  if (held !== undefined && held.agent_id !== agentId)
    throw new Fault('conflict', `Repo ${repo.name} is already claimed by ${held.agent_id}`, {
      next: 'Join as another repo, or ask that agent to call cacp/repo/release first',
      data: { repoName: repo.name, agentId: held.agent_id },
    })
  if (held === undefined) {
    const at = stampAfter(stampAfter(now, repoStamp(repo)), project.created_at)
    return withClaim(repo, {
      agent_id: agentId,
      claimed_at: at,
      released_at: null,
      endpoint: { value: endpoint ?? null, at },
    })
  }
  if (endpoint === undefined || endpoint === held.endpoint.value) return repo
  return withClaim(repo, { ...held, endpoint: { value: endpoint, at: stampAfter(now, repoStamp(repo)) } })
}

/** Ends every claim of that agent: two peers may have dated the same one differently. */
export function releaseRepo(repo: Repo, { agent_id }: Claim, now: Stamp): Repo {
  const released_at = stampAfter(now, repoStamp(repo))
  const claims = repo.claims.map((claim) =>
    claim.agent_id === agent_id && claim.released_at === null ? { ...claim, released_at } : claim,
  )
  return { ...repo, claims }
}

export const claimKey = (claim: Claim): string => `${claim.claimed_at} ${claim.agent_id}`

function withClaim(repo: Repo, claim: Claim): Repo {
  const others = repo.claims.filter((other) => claimKey(other) !== claimKey(claim))
  return { ...repo, claims: [...others, claim].sort((a, b) => compareText(claimKey(a), claimKey(b))) }
}
