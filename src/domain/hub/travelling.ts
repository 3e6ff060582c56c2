import { isAny } from '../../protocol/collections/iterables.ts'
import type { ProjectView, View } from '../view.ts'

/** Which projects travel over the hub. */
export interface HubScope {
  /** Whether projects of visibility `members` do too, because the permissions of the hub keep them apart. */
  readonly carriesMembers: boolean
}

export const travels = (found: ProjectView | undefined, { carriesMembers }: HubScope): boolean =>
  found !== undefined && (found.project.visibility === 'all' || carriesMembers)

/** What `hub status` and the doctor say of each project. */
export type TravellingProject = ReturnType<typeof travellingProjects>[number]

export const travellingProjects = ({ projects }: Pick<View, 'projects'>, scope: HubScope) =>
  Array.from(projects.oldestFirst(), (found) => ({
    projectId: found.project.project_id,
    name: found.project.name,
    visibility: found.project.visibility,
    travels: travels(found, scope),
  }))

/** Whether this daemon has the file and said in a project that travels over the hub that it shares it. */
export const isSharedOnHub = (
  view: View,
  sha256: string,
  { ownKey, scope }: { ownKey: string; scope: HubScope },
): boolean =>
  view.fileSize(sha256) !== undefined &&
  isAny(
    view.projectsNaming(sha256),
    (found) =>
      travels(found, scope) &&
      isAny(
        found.packetsNaming(sha256),
        ({ key, reported_by }) => key === ownKey && reported_by === undefined,
      ),
  )

/** Whether a packet of a project that travels over the hub names the file. */
export const mayBeOnHub = (view: View, sha256: string, scope: HubScope): boolean =>
  isAny(view.projectsNaming(sha256), (found) => travels(found, scope))
