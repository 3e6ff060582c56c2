import * as z from 'zod'
import { unusedOf } from '../../domain/contract/unused.ts'
import { contractOf, projectOf } from '../../domain/lookup.ts'
import { Texts } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'
import { Target } from '../shapes.ts'

export const unused = method({
  name: 'cacp/contract/unused',
  summary: 'List what of a contract no consumer says that it uses.',
  access: 'read',
  permission: 'project:read',
  params: z.object(Target),
  result: z.object({
    contractId: z.string(),
    version: z.int().describe('the one in force, else the newest'),
    unused: Texts.describe('places, at most 200; none while no consumer said what it uses'),
    heard: Texts.describe('consumers that said what they use'),
    silent: Texts.describe('consumers that did not, and so may use any of it'),
    truncated: z.boolean().optional(),
  }),
  example: {
    params: EXAMPLE.target,
    result: {
      contractId: EXAMPLE.contractId,
      version: 2,
      unused: ['response.200.body.avatar'],
      heard: ['frontend-app'],
      silent: [],
    },
  },
}).decide((view, { projectId, contractId }, env) => {
  const found = projectOf(view, projectId, env)
  return { result: { contractId, ...unusedOf(found, contractOf(found, contractId)) } }
})
