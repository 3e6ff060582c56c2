import type { Change } from '../domain/change.ts'
import type { Project } from '../domain/model.ts'
import { projectStamp } from '../domain/project.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../domain/render.ts'

/** The document's call that hands an entity over to a peer, without its source_agent. */
export interface Handover {
  readonly method: 'cacp/project/sync' | 'cacp/repo/sync' | 'cacp/contract/sync' | 'cacp/context/sync'
  readonly params: object
}

/** `project` is the one that the entity belongs to. */
export function handoverOf(change: Change, project: Project): Handover {
  const { project_id: projectId } = change
  switch (change.kind) {
    case 'project':
      return { method: 'cacp/project/sync', params: { project: bareProject(change.value) } }
    case 'repo':
      return { method: 'cacp/repo/sync', params: { projectId, repo: renderRepo(change.value, project) } }
    case 'contract':
      return { method: 'cacp/contract/sync', params: { projectId, contract: renderContract(change.value) } }
    case 'packet':
      return { method: 'cacp/context/sync', params: { projectId, packet: renderPacket(change.value) } }
    default:
      return change satisfies never
  }
}

/** A project without its parts, which travel on their own. */
const bareProject = (project: Project) => ({
  ...renderProjectHead(project),
  status: 'planning',
  repos: [],
  contracts: [],
  context_history: [],
  updated_at: projectStamp(project),
})
