import type { Change } from '../domain/change.ts'
import type { Project, Repo } from '../domain/model.ts'
import { projectStamp } from '../domain/project.ts'
import { bareContract, renderPacket, renderProjectHead, renderRepo } from '../domain/render.ts'

export const HANDOVERS = [
  'cacp/project/sync',
  'cacp/repo/sync',
  'cacp/contract/sync',
  'cacp/context/sync',
  'cacp/receipt/sync',
] as const

/** The call that hands an entity over to a peer, without its source_agent; the document's, where it has one. */
export interface Handover {
  readonly method: (typeof HANDOVERS)[number]
  readonly params: object
}

/**
 * `project` is the one that the entity belongs to. One that is kept among its members goes with their repos:
 * whoever it does not name is not listened to, and that would be its sender too.
 */
export function handoverOf(change: Change, project: Project, members: readonly Repo[] = []): Handover {
  const { project_id: projectId } = change
  switch (change.kind) {
    case 'project':
      return { method: 'cacp/project/sync', params: { project: bareProject(change.value, members) } }
    case 'repo':
      return { method: 'cacp/repo/sync', params: { projectId, repo: renderRepo(change.value, project) } }
    case 'contract':
      return { method: 'cacp/contract/sync', params: { projectId, contract: bareContract(change.value) } }
    case 'packet':
      return { method: 'cacp/context/sync', params: { projectId, packet: renderPacket(change.value) } }
    case 'receipt':
      return { method: 'cacp/receipt/sync', params: { projectId, receipt: change.value } }
    default:
      return change satisfies never
  }
}

/** A project without its parts, which travel on their own. */
const bareProject = (project: Project, members: readonly Repo[]) => ({
  ...renderProjectHead(project),
  status: 'planning',
  repos: members.map((repo) => renderRepo(repo, project)),
  contracts: [],
  context_history: [],
  updated_at: projectStamp(project),
})
