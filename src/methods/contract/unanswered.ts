import { z } from 'zod'
import { repoNames } from '../../domain/contract/next-step.ts'
import type { ProjectView } from '../../domain/view.ts'

export const Unanswered = z
  .array(z.string())
  .optional()
  .describe('names of the repos that still have to answer; left out where there is none')

export const unansweredBy = (
  found: ProjectView,
  repoIds: readonly string[],
): { readonly unanswered?: string[] } =>
  repoIds.length === 0 ? {} : { unanswered: repoNames(found, repoIds) }
