import { z } from 'zod'
import { absorbReceipt } from '../domain/absorb.ts'
import { FreeObject } from '../protocol/json.ts'
import { Id } from '../protocol/words.ts'
import {
  EXAMPLE_AGENT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_REPO_ID,
  EXAMPLE_TIME,
} from './examples.ts'
import { method } from './row.ts'
import { assertInOwnName, outcome, receivingProject, SourceAgent, SourceLife, sentBy, told } from './sync.ts'

export const syncReceipt = method({
  name: 'cacp/receipt/sync',
  summary: 'Receive from a peer what the agent of a repository was shown.',
  access: 'sync',
  noted: 'changes',
  refusesInResult: true,
  params: z.object({
    projectId: Id,
    receipt: FreeObject.describe('repo_id, and under seen what was shown to its agent, as of when and when'),
    source_agent: SourceAgent,
    source_life: SourceLife,
  }),
  result: z.object({ ...outcome, repoId: z.string().optional() }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      receipt: {
        repo_id: EXAMPLE_REPO_ID,
        seen: [{ key: `contract ${EXAMPLE_CONTRACT_ID}`, of: EXAMPLE_TIME, parts: 1, at: EXAMPLE_TIME }],
      },
      source_agent: EXAMPLE_AGENT,
    },
    result: { status: 'updated', repoId: EXAMPLE_REPO_ID },
  },
}).decide((view, { projectId, receipt, source_agent, source_life }, env) => {
  assertInOwnName(source_agent, env)
  const found = receivingProject(view, projectId, env)
  // A daemon hands on what others wrote; a peer that knows the document only has nothing to hand on.
  const only = view.links.get(env.caller.agentId)?.plain === true ? env.caller : undefined
  const absorbed = absorbReceipt(found, receipt, { now: env.now, only })
  return {
    result: { ...told(absorbed), repoId: absorbed.id },
    changes: absorbed.changes,
    isMerge: true,
    ...sentBy(env.caller, source_life, absorbed),
  }
})
