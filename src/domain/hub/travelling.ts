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
