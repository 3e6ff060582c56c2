import type { Pinned } from './env.ts'
import type { Invitation } from './model.ts'
import type { ProjectView } from './view.ts'

/**
 * Whether a key may see a project by an invitation, which it has not used yet: once it gives its repo back, or loses it,
 * that shows it nothing any more.
 */
export function isInvited(found: ProjectView, pinned: Pinned): boolean {
  const invited = invitationTo(found, pinned)
  if (invited === undefined) return false
  const isSettledSince = (repoId: string) => {
    for (const { at } of found.said.saidAbout(repoId, 'settlement')) if (at > invited.at) return true
    return false
  }
  for (const { repo_id, claims } of found.repos.oldestFirst())
    for (const { speaks_by, claimed_at, standing } of claims) {
      if (speaks_by.key !== pinned.key) continue
      // Whoever was expelled may have dated its claim before the invitation.
      if (claimed_at > invited.at || (standing === 'settled' && isSettledSince(repo_id))) return false
    }
  return true
}

export const invitationTo = ({ project }: ProjectView, pinned: Pinned | undefined): Invitation | undefined =>
  pinned?.invitedTo.find(({ project_id }) => project_id === project.project_id)
