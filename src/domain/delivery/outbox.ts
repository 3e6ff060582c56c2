import type { Stamp } from '../../protocol/stamp.ts'
import type { EntityName } from '../change.ts'
import type { ProjectView } from '../view.ts'

/** The kinds of entities that have a name for people. */
export type NamedKind = 'project' | 'repo' | 'contract' | 'packet'

/** An entity that a peer does not have in its present state. */
export interface Undelivered {
  readonly agentId: string
  readonly repo: string
  readonly kind: NamedKind
  readonly projectId: string
  readonly id: string
  readonly name: string
  /** When it changed last. */
  readonly since: Stamp
  readonly why: string
}

/** An entity with its name and time; undefined if it has no name or does not exist. */
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
