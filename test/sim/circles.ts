import { maySee } from '../../src/domain/lookup.ts'
import type { ProjectView } from '../../src/domain/view.ts'
import { FileNames } from '../../src/io/store/files/names.ts'
import { ProjectParts, ProjectTables } from '../../src/io/store/tables/project-tables.ts'
import { agentOf, repoOf } from './names.ts'
import type { SimDaemon } from './sim-daemon.ts'
import { components } from './topology.ts'
import type { World } from './world.ts'

export type Circles = (projectId: string) => readonly (readonly SimDaemon[])[]

/** By project, who has to agree about it. For checks that are made while nothing happens: each is put together once. */
export function circlesIn(world: World): Circles {
  const known = new Map<string, ReturnType<Circles>>()
  return (projectId) => {
    const circles = known.get(projectId) ?? circlesOf(world, projectId)
    known.set(projectId, circles)
    return circles
  }
}

/**
 * Which daemons have to agree about a project: those that may see it by all that anybody has, as far as they reach each
 * other. One that lost its repo may not have heard of that, nor one with an older disk of who came since.
 */
function circlesOf(world: World, projectId: string): SimDaemon[][] {
  const found = togetherOf(world, projectId)
  // Of what nobody has any more, whoever said something of it has lost that.
  if (found.said.founding === undefined) return [[...world.daemons]]
  const nodes = world.daemons.flatMap((daemon, index) => (isShownTo(daemon, found) ? [index] : []))
  return components(new Set(nodes), world.edgesOf(found.project.visibility)).map((group) =>
    group.flatMap((index) => world.daemons[index] ?? []),
  )
}

/** Whether somebody still holds a project that he may not see any more. */
export function isHeldByOutsider(world: World): boolean {
  const circles = circlesIn(world)
  return world.daemons.some((daemon) =>
    Array.from(daemon.life.store.view.projects.oldestFirst()).some(
      ({ project }) => !circles(project.project_id).some((circle) => circle.includes(daemon)),
    ),
  )
}

/** A project as whoever had heard all that is known of it would see it. */
function togetherOf(world: World, projectId: string): ProjectView {
  const all = new ProjectParts(projectId, new FileNames())
  for (const { life } of world.daemons)
    for (const statement of life.store.view.projects.get(projectId)?.said ?? [])
      if (all.said.isNews(statement)) all.put({ statement, bytes: 0, seq: 0 })
  return new ProjectTables(all)
}

/** Whether a daemon is shown a project. */
const isShownTo = ({ name, identity }: SimDaemon, found: ProjectView): boolean =>
  maySee(found, {
    kind: 'peer',
    agentId: agentOf(name),
    repoName: repoOf(name),
    pinned: { key: identity.keyId, invitedTo: [] },
  })
