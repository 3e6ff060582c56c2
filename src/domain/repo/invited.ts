import { isAny } from '../../protocol/collections/iterables.ts'
import type { Pinned } from '../env.ts'
import type { Invitation } from '../model.ts'
import type { ProjectView } from '../view.ts'

/**
 * Whether a key may see a project because of an invitation that it has not used yet. After it released or lost its
 * repo, the invitation gives no access any more.
 */
export function isInvited(found: ProjectView, pinned: Pinned): boolean {
  const invited = invitationTo(found, pinned)
  if (invited === undefined) return false
  const isSettledSince = (repoId: string) =>
    isAny(found.said.saidAbout(repoId, 'settlement'), ({ at }) => at > invited.at)
  for (const { claims } of found.repos.oldestFirst())
    for (const { speaks_by, claimed_at } of claims)
      if (speaks_by.key === pinned.key && claimed_at > invited.at) return false
  // An expelled daemon may have dated its claim before the invitation.
  return !isAny(
    found.said.lostClaims(),
    ({ repo_id, speaks_by }) => speaks_by.key === pinned.key && isSettledSince(repo_id),
  )
}

export const invitationTo = ({ project }: ProjectView, pinned: Pinned | undefined): Invitation | undefined =>
  pinned?.invitedTo.find(({ project_id }) => project_id === project.project_id)
