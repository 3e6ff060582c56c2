import { Fault } from '../../protocol/fault.ts'
import type { Env } from '../env.ts'
import { type Advice, howToJoin } from '../project/joining-advice.ts'
import { asFounder, isSignedHere } from '../repo/acting-for.ts'
import { lostClaims } from '../repo/lost-claim.ts'
import type { ProjectView } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'

/** The fault for an agent that claimed a repo and does not hold it: why, how to go on, and who can give it back. */
export function lostRepoFault(found: ProjectView, env: Env): Fault | undefined {
  const { agentId } = env.caller
  const { project_id: projectId } = found.project
  for (const repo of found.repos.oldestFirst()) {
    const claim = lostClaims(repo).find(
      ({ lost }) => lost.agent_id === agentId && isSignedHere(lost, env.self),
    )
    if (claim === undefined) continue
    const { holder, lost } = claim
    const { next, call } = withoutRepo(found, repo, { lost, env })
    const held = { heldBy: holder?.agent_id, since: holder?.claimed_at }
    const data = { projectId, agentId, repoName: repo.name, claimId: lost.claim_id, ...held, call }
    const why =
      holder === undefined
        ? ' any more: a settlement gave it to nobody'
        : `: ${holder.agent_id} has held it since ${holder.claimed_at}, and that claim counts before this one`
    return new Fault(
      'not_member',
      `${agentId} does not hold repo ${repo.name} of project ${projectId}${why}`,
      { next, data },
    )
  }
  return undefined
}

/** The agent can go on at once as another repo; only others can give this one back. */
export function withoutRepo(
  found: ProjectView,
  { name, holder }: RepoEntity,
  { lost, env }: { readonly lost: ClaimEntity; readonly env: Env },
): Advice {
  const settle = `cacp/repo/settle with holder ${lost.claim_id}`
  const { next, call } = howToJoin(found, env)
  const ways = [
    ...(holder === undefined ? [] : [`ask ${holder.agent_id} to call cacp/repo/release`]),
    asFounder(found, env) === undefined
      ? `ask ${found.project.created_by}, who founded the project, to call ${settle}`
      : `call ${settle}, as the founder of the project`,
  ]
  return {
    next: `${next}. To have ${name} itself, ${ways.join(', or ')}`,
    ...(call === undefined ? {} : { call }),
  }
}
