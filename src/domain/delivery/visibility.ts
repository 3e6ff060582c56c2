import { maySee, type Viewer } from '../lookup.ts'
import type { Statement } from '../statements/statement.ts'
import type { ProjectView } from '../view.ts'
import type { RepoEntity } from '../views/entities.ts'

/** What a peer is sent of a project, also where it may not see that any more. */

/** Kinds that decide who holds a repo, each after those that it may cite. */
const ON_HOLDERS: ReadonlySet<string> = new Set([
  'claim',
  'rotation',
  'release',
  'confirmation',
  'settlement',
])

/**
 * Whether a statement is sent to a peer. One that may not see the project any more still hears who took its repo, and by
 * whose word it lost it: else it would go on in vain. That can be its own word, of which it knows nothing where it was
 * restored from a backup.
 */
export const mayHear = (found: ProjectView, viewer: Viewer, { kind, about }: Statement): boolean =>
  maySee(found, viewer) || (ON_HOLDERS.has(kind) && hasClaimed(viewer, found.repos.get(about)))

/** All that is sent of a project to a peer that may not see it. */
export function* heardFromOutside({ repos, said }: ProjectView, viewer: Viewer): Iterable<Statement> {
  for (const repo of repos.oldestFirst())
    if (hasClaimed(viewer, repo)) for (const kind of ON_HOLDERS) yield* said.saidAbout(repo.repo_id, kind)
}

const hasClaimed = ({ pinned }: Viewer, repo: RepoEntity | undefined): boolean =>
  pinned !== undefined && repo?.claims.some(({ speaks_by }) => speaks_by.key === pinned.key) === true
