import * as z from 'zod'
import { When } from '../../protocol/words.ts'
import type { EntityName } from '../change.ts'
import { entityIn } from '../entity.ts'
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
  name: EntityName,
  found: ProjectView,
): Pick<Undelivered, 'kind' | 'projectId' | 'id' | 'name' | 'since'> | undefined {
  const entity = entityIn(found, name)
  return (
    entity && {
      kind: entity.kind,
      projectId: name.project_id,
      id: name.id,
      name: entity.kind === 'packet' ? entity.value.type : entity.value.name,
      since: entity.value.updated_at,
    }
  )
}
