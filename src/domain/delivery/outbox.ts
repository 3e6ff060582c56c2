import type { Stamp } from '../../protocol/stamp.ts'
import type { EntityName } from '../change.ts'
import type { ProjectView } from '../view.ts'

/** What people speak of. */
export type NamedKind = 'project' | 'repo' | 'contract' | 'packet'

/** Something that a peer has not got. */
export interface Undelivered {
  readonly agentId: string
  readonly repo: string
  readonly kind: NamedKind
  readonly projectId: string
  readonly id: string
  readonly name: string
  /** Since when it is as it is. */
  readonly since: Stamp
  readonly why: string
}

/** An entity as people speak of it; undefined where it is none, or there is nothing to see of it. */
export function describeEntity(
  { kind, project_id: projectId, id }: EntityName,
  found: ProjectView,
): Pick<Undelivered, 'kind' | 'projectId' | 'id' | 'name' | 'since'> | undefined {
  if (kind === 'receipt' || kind === 'other') return undefined
  const named = nameAndTime(kind, id, found)
  return named && { kind, projectId, id, ...named }
}

function nameAndTime(
  kind: NamedKind,
  id: string,
  { project, repos, contracts, packets }: ProjectView,
): { name: string; since: Stamp } | undefined {
  switch (kind) {
    case 'project':
      return { name: project.name, since: project.updated_at }
    case 'repo': {
      const repo = repos.get(id)
      return repo && { name: repo.name, since: repo.updated_at }
    }
    case 'contract': {
      const contract = contracts.get(id)
      return contract && { name: contract.name, since: contract.updated_at }
    }
    case 'packet': {
      const packet = packets.get(id)
      return packet && { name: packet.type, since: packet.updated_at }
    }
    default:
      return kind satisfies never
  }
}
