import { z } from 'zod'
import type { Stamp } from '../../protocol/stamp.ts'
import { When } from '../../protocol/words.ts'
import type { EntityName } from '../change.ts'
import type { ProjectView } from '../view.ts'

/** An entity that a peer does not have in its present state. */
export const Undelivered = z.object({
  agentId: z.string().describe('where it has not arrived'),
  repo: z.string(),
  kind: z.enum(['project', 'repo', 'contract', 'packet']),
  projectId: z.string(),
  id: z.string(),
  name: z.string(),
  /** When it changed last. */
  since: When,
  why: z.string(),
})
export type Undelivered = z.output<typeof Undelivered>

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
  kind: Undelivered['kind'],
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
