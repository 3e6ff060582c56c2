import * as z from 'zod'
import { dependenciesOf } from '../../domain/contract/dependencies.ts'
import { repoNames } from '../../domain/contract/next-step.ts'
import { TOLERANCES } from '../../domain/interface/model.ts'
import { PlaceText } from '../../domain/statements/expectation.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { listOf } from '../../protocol/words.ts'

/** Fields that several methods of contracts have in common. */

/** Places in a contract that somebody uses. */
export const Places = z.array(PlaceText).max(LIMITS.listItems)

export const Tolerances = z.array(z.enum(TOLERANCES)).max(LIMITS.listItems)

export const Unanswered = z
  .array(z.string())
  .optional()
  .describe('names of the repos that still have to answer; left out where there is none')

export const unansweredBy = (
  found: ProjectView,
  repoIds: readonly string[],
): { readonly unanswered?: string[] } =>
  repoIds.length === 0 ? {} : { unanswered: repoNames(found, repoIds) }

export const Dependencies = listOf(
  z.object({ contractId: z.string(), name: z.string(), inForce: z.boolean() }),
)
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
