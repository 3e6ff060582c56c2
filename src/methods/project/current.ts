import * as z from 'zod'
import { isLocal } from '../../domain/delivery/receipt.ts'
import { type Caller, ownerOf } from '../../domain/env.ts'
import { openProjectOf } from '../../domain/lookup.ts'
import { chosenProject, onlyProject } from '../../domain/project/current.ts'
import type { ProjectView } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'

/** The current project of an agent, for calls that name none. Local to this daemon. */

const Current = z.object({
  projectId: z.string().nullable().describe('null: none, so that it has to be named'),
  name: z.string().nullable(),
  isSet: z.boolean().describe('false: it is meant because there is no other open one'),
})
const EXAMPLE_CURRENT = { projectId: EXAMPLE.projectId, name: 'User Auth Feature', isSet: true }

export const use = method({
  name: 'cacp/project/use',
  summary: 'Choose the project that your calls mean where they name none.',
  access: 'write',
  params: z
    .object({
      projectId: AnyProjectWord.optional(),
      clear: z.boolean().default(false).describe('choose none any more'),
    })
    .refine(({ projectId, clear }) => (projectId === undefined) === clear, {
      path: ['projectId'],
      error: 'name the project, or clear the choice: one of the two',
    }),
  result: Current,
  example: { params: { projectId: 'User Auth Feature' }, result: EXAMPLE_CURRENT },
}).decide((view, { projectId }, env) => {
  const { caller } = env
  assertLocal(caller)
  const { agentId: agent_id } = caller
  const id = ownerOf(caller)
  if (projectId === undefined)
    return {
      result: shown(onlyProject(view, caller), false),
      local: [{ table: 'current', id, value: null }],
    }
  const found = openProjectOf(view, projectId, env)
  const { project_id, name } = found.project
  return {
    result: shown(found, true),
    local: [{ table: 'current', id, value: { agent_id, project_id, name } }],
  }
})

export const current = method({
  name: 'cacp/project/current',
  summary: 'See which project your calls mean where they name none.',
  access: 'read',
  params: z.object({}),
  result: Current,
  example: { params: {}, result: EXAMPLE_CURRENT },
}).decide((view, _params, { caller }) => {
  const chosen = chosenProject(view, caller)
  return { result: shown(chosen ?? onlyProject(view, caller), chosen !== undefined) }
})

const shown = (found: ProjectView | undefined, isSet: boolean): z.output<typeof Current> => ({
  projectId: found?.project.project_id ?? null,
  name: found?.project.name ?? null,
  isSet,
})

/** The current projects of other daemons' agents are stored there. */
function assertLocal(caller: Caller): void {
  if (isLocal(caller)) return
  throw new Fault('forbidden', `${caller.agentId} may not choose a project here`, {
    next: 'Choose it at the daemon of your own repository, or name the project in every call',
  })
}
