import { z } from 'zod'
import { dependenciesOf } from '../../domain/contract/dependencies.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'

export const Dependencies = z
  .array(z.object({ contractId: z.string(), name: z.string(), inForce: z.boolean() }))
  .readonly()
  .optional()
  .describe('contracts that have to be in force before this one can be built')

/** Left out where it depends on none. */
export function dependenciesIn(
  found: ProjectView,
  contract: ContractEntity,
): { dependsOn?: z.output<typeof Dependencies> } {
  const dependsOn = dependenciesOf(found, contract)
  return dependsOn.length === 0 ? {} : { dependsOn }
}
