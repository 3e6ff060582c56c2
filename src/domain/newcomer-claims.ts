import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { type Change, repoChange } from './change.ts'
import { heldBy } from './invite.ts'
import { repoNamed, repoOfAgent } from './lookup.ts'
import type { Repo } from './model.ts'
import { activeClaim, claimRepo, newRepo, releaseRepo } from './repo.ts'
import type { ProjectView, View } from './view.ts'

export interface Newcomer {
  readonly agentId: string
  readonly repoName: string
  readonly endpoint: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  /** The agent whose repos become its own. */
  readonly replaces: string | null
}

/** The repos that a newcomer holds from its first moment: the one it was invited for, and those it inherits. */
export function claimsFor(
  view: View,
  newcomer: Newcomer,
  { projectId, now }: { projectId: string | null; now: Stamp },
): Change[] {
  const wanted = new Map<ProjectView, string>()
  if (newcomer.replaces !== null)
    for (const { found, repoName } of heldBy(view, newcomer.replaces)) wanted.set(found, repoName)
  const invitedTo = projectId === null ? undefined : view.projects.get(projectId)
  if (invitedTo !== undefined) wanted.set(invitedTo, newcomer.repoName)
  return Array.from(wanted, ([found, repoName]) => claimIn(found, repoName, { newcomer, now })).flat()
}

function claimIn(
  found: ProjectView,
  repoName: string,
  { newcomer, now }: { newcomer: Newcomer; now: Stamp },
): Change[] {
  const { project } = found
  const { agentId, endpoint, replaces } = newcomer
  const own = repoOfAgent(found, agentId)
  if (own !== undefined && own.name !== repoName)
    throw new Fault(
      'conflict',
      `${agentId} already holds repo ${own.name} of project ${project.project_id}`,
      {
        next: 'Ask for an invite without a project, or release that repo first with cacp/repo/release',
        data: { projectId: project.project_id, repoName: own.name },
      },
    )
  const repo = repoNamed(found, repoName)
  const free = vacated(repo ?? added(found, newcomer, now), found, { leaving: replaces, agentId, now })
  const claimed = claimRepo(free, { project, agentId, endpoint, now })
  return claimed === repo ? [] : [repoChange(project.project_id, claimed)]
}

function added(found: ProjectView, { repoName, role, language }: Newcomer, now: Stamp): Repo {
  const { project, repos } = found
  if (repos.size >= LIMITS.repos)
    throw new Fault(
      'too_large',
      `Project ${project.project_id} already has ${LIMITS.repos} repos, which is the limit`,
    )
  const about = { role: role ?? 'shared', language: language ?? 'unknown', relevant_paths: [], url: null }
  return newRepo(project.project_id, repoName, about, now)
}

/** Without the claim of the one whose place is taken, unless both go by the same name. */
function vacated(
  repo: Repo,
  { project }: ProjectView,
  { leaving, agentId, now }: { leaving: string | null; agentId: string; now: Stamp },
): Repo {
  const held = activeClaim(repo, project)
  const mustLeave = held !== undefined && held.agent_id === leaving && leaving !== agentId
  return mustLeave ? releaseRepo(repo, held, now) : repo
}
