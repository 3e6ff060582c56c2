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
export function describeEntity({ kind, project_id: projectId, id }: EntityName, found: ProjectView) {
  const entity = entityIn(found, { kind, id })
  if (entity === undefined) return undefined
  const name = entity.kind === 'packet' ? entity.value.type : entity.value.name
  return { kind: entity.kind, projectId, id, name, since: entity.value.updated_at }
}
