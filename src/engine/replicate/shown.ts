import { maySee, repoNamed } from '../../domain/lookup.ts'
import type { Peer } from '../../domain/model.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'

export interface ShownDeps {
  view: View
  log: Pick<ChangeLog, 'get'>
  peer: Peer
}

/** A project that may be shown to a peer; undefined if it may not be, or is not there. */
export function projectShownTo(deps: ShownDeps, projectId: string): ProjectView | undefined {
  const { view, peer } = deps
  const found = view.projects.get(projectId)
  if (found === undefined || !maySee(found, { kind: 'peer', repoName: peer.repo_name })) return undefined
  return found.project.visibility === 'all' || isNamedOnDisk(found, deps) ? found : undefined
}

/** The view is ahead of the disk: who is named in it only may never have been named, should the disk be full. */
function isNamedOnDisk(found: ProjectView, { log, peer }: ShownDeps): boolean {
  const repo = repoNamed(found, peer.repo_name)
  if (repo === undefined) return false
  const { project_id } = found.project
  const kept = log.get(entityKey({ kind: 'repo', project_id, id: repo.repo_id }))
  return kept?.kind === 'repo' && kept.value.name === peer.repo_name
}
